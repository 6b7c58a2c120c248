/** A file that cannot be used, in words for the dealer who gave it. */
export class SheetRefused extends Error {}
