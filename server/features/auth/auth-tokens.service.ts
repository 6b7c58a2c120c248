/** Single-use, expiring tokens of mailed links, for features that mail links of their own. */
export { insertToken, removeToken } from './auth-tokens.repository.ts'
