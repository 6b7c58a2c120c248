/** `npm run dev` runs Vite with hot reload at PORT, and behind it a server that restarts when its source changes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { run, print } from '../console.mjs'
import { endChild, freePort, watchRunner } from '../programs/processes.mjs'
import { inRoot, root } from '../root.mjs'
import { startServices } from '../programs/services.mjs'
import { dataFolder, localAddress, prepareRun, sessionSecret, wantedPort } from './claim-folder.mjs'

run(async () => {
  const port = wantedPort()
  const address = localAddress(port)
  const release = await prepareRun(port, address)
  const services = await startServices({ folder: dataFolder })
  const serverPort = String(await freePort())
  const shared = { DEMO: 'on', ...process.env, SESSION_SECRET: sessionSecret(), SERVER_PORT: serverPort }
  /** @param {string[]} args @param {Record<string, string>} env */
  const start = (args, env) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...shared, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    })
    services.watch(child)
    return child
  }
  const watch = ['--include', 'server/**', '--include', 'shared/**', '--clear-screen=false']
  const server = start([inRoot('node_modules', 'tsx', 'dist', 'cli.mjs'), 'watch', ...watch, 'server/main.ts'], {
    PORT: serverPort,
    PUBLIC_URL: address,
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
  })
  const vite = start(
    [
      inRoot('node_modules', 'vite', 'bin', 'vite.js'),
      '--port',
      String(port),
      '--strictPort',
      '--clearScreen',
      'false',
    ],
    {},
  )
  const both = [server, vite]
  /** @type {Promise<unknown> | undefined} */
  let ending
  // Send the signal only once, because tsx kills the server on a second signal, before it has drained.
  const stop = () => (ending ??= Promise.all(both.map((child) => endChild(child, 'SIGTERM'))))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop())
  watchRunner(() => void stop())
  print(`Development server: ${address} (pages reload by themselves; the server restarts on change)`)
  await Promise.race(both.map((child) => once(child, 'exit')))
  await stop()
  await services.stop()
  release()
})
