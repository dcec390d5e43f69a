/** Places as compilers and web pages write them, in the way that commands read them. */

/** `FILE:10:5` (a line and its column) is `FILE:10`; `FILE#L10` and `FILE#L10-L20` are `FILE:10` and `FILE:10-20`. */
export const plainPlace = (text: string): string =>
  text
    .replace(/^(.+:\d{1,9}):\d{1,9}$/s, '$1')
    .replace(/^(.+)#L(\d{1,9})(?:-L?(\d{1,9}))?$/s, (_, path, start, end) =>
      end === undefined ? `${path}:${start}` : `${path}:${start}-${end}`,
    )
