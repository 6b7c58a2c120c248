const publicPath =
  /^\/(about|pricing|contact|features|security|help|privacy|blog|careers|status|mobile|api-docs)?(\/|$)/

/** True if the public site has a page at this address. Sign-in belongs to the app. */
export function isPublicPath(path: string): boolean {
  return publicPath.test(path)
}
