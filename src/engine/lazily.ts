/** A part that is loaded when it is first needed, and once: a search of code waits for nothing that only others need. */
export const lazily = <Part>(load: () => Promise<Part>): (() => Promise<Part>) => {
  let loading: Promise<Part> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}
