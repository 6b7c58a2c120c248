const publicPath =
  /^\/(about|pricing|contact|features|security|help|privacy|blog|careers|status|mobile|api-docs)?(\/|$)/

/** True if the public site has a page at this path. (The sign-in page belongs to the app.) */
export function isPublicPath(path: string): boolean {
  return publicPath.test(path)
}
