import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

export interface AppRoute {
  path: string
  Page: LazyExoticComponent<ComponentType>
  /** Without top bar, bottom navigation and dock: onboarding and checkout. */
  bare?: boolean
}

function page(load: () => Promise<ComponentType>): LazyExoticComponent<ComponentType> {
  return lazy(async () => ({ default: await load() }))
}

/** Spec B §2 "Signed-in routes". Any other path is the not-found page. */
export const signedInRoutes: readonly AppRoute[] = [
  { path: '/', Page: page(() => import('#client/pages/home.tsx').then((file) => file.HomePage)) },
  { path: '/post/:id', Page: page(() => import('#client/pages/post.tsx').then((file) => file.PostPage)) },
]

/** The signed-out routes that belong to the app; the others are the public site (spec B §2), sent by the server. */
export const signedOutRoutes: readonly AppRoute[] = [
  { path: '/login', Page: page(() => import('#client/pages/login.tsx').then((file) => file.LoginPage)) },
]

export const NotFound = page(() => import('#client/pages/not-found.tsx').then((file) => file.NotFoundPage))
