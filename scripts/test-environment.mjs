import { ensureBuilt } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { makeDemoTemplate, makeTemplate } from './templates.mjs'

/**
 * What a test file reads from its environment (tests/support/services.ts), so that each starts from a database of its own.
 * @param {import('./services.mjs').Services} services @param {string} folder for the files of tests
 */
export async function serverEnvironment(services, folder) {
  return {
    TEST_DATABASE_URL: services.databaseUrl,
    TEST_TEMPLATE: await makeTemplate(services.databaseUrl),
    TEST_REDIS_URL: services.redisUrl,
    TEST_DATA_DIR: folder,
  }
}

/**
 * What browser tests need beside: the built product, a database with the demo network, and a browser.
 * @param {import('./services.mjs').Services} services @param {string} folder
 */
export async function browserEnvironment(services, folder) {
  await ensureBuilt()
  const { path, env } = findChromium()
  return {
    TEST_DEMO_TEMPLATE: await makeDemoTemplate(services, folder),
    CHROMIUM_PATH: path,
    CHROMIUM_ENV: JSON.stringify(env),
  }
}
