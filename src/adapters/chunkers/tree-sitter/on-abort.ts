/** One listener for each signal, however many jobs wait on it: Node warns of a leak from the eleventh on. */

const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls back when the signal aborts; returns the way out. */
export const onAbort = (signal: AbortSignal, callback: () => void): (() => void) => {
  const known = callbacksOf.get(signal)
  const callbacks = known ?? new Set<() => void>()
  if (!known) {
    callbacksOf.set(signal, callbacks)
    const callAll = (): void => {
      for (const call of callbacks) call()
    }
    signal.addEventListener('abort', callAll, { once: true })
  }
  callbacks.add(callback)
  return () => callbacks.delete(callback)
}
