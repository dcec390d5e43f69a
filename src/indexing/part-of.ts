/** Before the stamp of a source of which something could not be read: what it was told to be is still to be known. */
export const PART_OF = 'part of '
