import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { command } from '../frame/command.ts'
import { idPattern } from '../frame/id-pattern.ts'
import { UsageError } from '../frame/usage-error.ts'
import { serverAddress, serverOption } from './server-address.ts'

const screens: Readonly<Record<string, string>> = {
  console: '',
  certificates: '/certificates',
  desk: '/desk',
  webhooks: '/webhooks',
  applications: '/automation',
  company: '/company',
}

export const open = command({
  args: ['what'],
  options: { print: { about: 'only print the address' }, server: serverOption },
  description: `Opens the console in the browser. <what> is ${Object.keys(screens).join(', ')}, docs, verify, or the id of a certificate.`,
  examples: ['millseal open certificates', 'millseal open 0198c2f4-6f0a-7c3e-9a51-2f0d6a1b7c44 --print'],
  async run({ args: [what = ''], values, json, environment }) {
    const address = `${serverAddress(values.server, environment)}${pathOf(what)}`
    const isOpened = !values.print && !json && (await openInBrowser(address))
    return { result: { address }, text: isOpened ? `Opened ${address}\n` : `${address}\n` }
  },
})

const pathOf = (what: string): string => {
  if (what === 'docs') return '/docs/guide'
  if (what === 'verify') return '/verify'
  if (idPattern.test(what)) return `/console/certificates/${what}`
  const screen = Object.hasOwn(screens, what) ? screens[what] : undefined
  if (screen === undefined)
    throw new UsageError(
      `${what} cannot be opened: use ${Object.keys(screens).join(', ')}, docs, verify or the id of a certificate`,
    )
  return `/console${screen}`
}

/** False on a machine without a browser, such as a server: then the address is printed. */
const openInBrowser = async (address: string): Promise<boolean> => {
  const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [address], { stdio: 'ignore' })
  const [outcome] = await Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => [1])
  return outcome === 0
}
