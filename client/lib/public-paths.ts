const publicPath =
  /^\/(about|pricing|contact|features|security|help|privacy|blog|careers|status|mobile|api-docs)?(\/|$)/

/** Whether the public site has pages at this address. Sign-in is the app's. */
export function isPublicPath(path: string): boolean {
  return publicPath.test(path)
}
