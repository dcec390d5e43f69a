/** Splits an identifier at its seams: `parseHTTPResponse2` → parse, HTTP, Response, 2; `MAX_size` → MAX, size. */

const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{Lu}+|\p{N}+/gu

export const splitIdentifier = (identifier: string): readonly string[] => identifier.match(PARTS) ?? []
