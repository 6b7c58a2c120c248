/**
 * Pages of the app that exist for visitors: sign-in, the first admin, and where mailed links lead. Every other address of a visitor is a
 * page of the public site.
 */
export const visitorAppPage = /^\/(login|setup|reset|verify-email|demo-mail)\/?$/
