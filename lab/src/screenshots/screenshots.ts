import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { findChromium, launchChromium } from '../../../server/test/chromium.ts'
import { startServer } from '../../../server/test/server-process.ts'
import { type Login, type Picture, takePictures } from './take-pictures.ts'
import { takeReadme } from './readme-pictures.ts'
import { screensOf } from './screens.ts'
import { takeVerdicts } from './verdict-pictures.ts'

const help = `script/screenshots [options]

Starts the product with an empty data folder, fills it with \`millseal demo --tour\`, and saves a picture of every screen as
docs/pictures/console/<screen>-<width>-<theme>.png: at 1280 and 390 px, the pages of receivers at 1280 and 360 px, light
and dark. If all together exceed 6 MB, commit only those at 1280 px in light and at 390 and 360 px in dark.

  --only <text>     only screens whose name contains this text
  --folder <path>   where to save the pictures
  --server <url>    use this server instead, and
  --logins <file>   what \`millseal demo --tour --json\` printed there
  --language <tag>  default en-GB
  --readme          only the pictures of README, into docs/pictures/readme
  --verdicts        only what the saved page of verification says of a certificate, in each language, into
                    docs/pictures/verdicts; starts no server

Addresses that are no page yet are skipped and named.`

const root = join(import.meta.dirname, '../../..')

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    folder: { type: 'string' },
    verdicts: { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
    server: { type: 'string' },
    logins: { type: 'string' },
    language: { type: 'string', default: 'en-GB' },
    help: { type: 'boolean', default: false },
  },
})

const kind = (['verdicts', 'readme'] as const).find((one) => values[one]) ?? 'console'

type Tour = { readonly logins: readonly Login[] }

const readTour = async (): Promise<Tour> =>
  JSON.parse(values.logins === undefined ? '{"logins":[]}' : await readFile(values.logins, 'utf8')) as Tour

/** Two companies with members and certificates, on a server of its own. */
const startTour = async (stack: AsyncDisposableStack): Promise<{ url: string; tour: Tour }> => {
  const folder = await mkdtemp(join(tmpdir(), 'millseal-screenshots-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const environment = {
    MILLSEAL_DATA_DIR: join(folder, 'data'),
    MILLSEAL_VIES: 'off',
    MILLSEAL_SAMPLES: 'on',
  }
  const { url } = stack.use(await startServer(environment))
  const { port } = new URL(url)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'cli/src/main.ts'), 'demo', '--tour', '--json', '--server', url],
    { env: { ...process.env, ...environment, MILLSEAL_PORT: port }, timeout: 600_000 },
  )
  return { url, tour: JSON.parse(stdout) as Tour }
}

type Save = (picture: Picture) => Promise<void>

const takeScreens = async (stack: AsyncDisposableStack, browser: Browser, save: Save) => {
  const { url, tour } =
    values.server === undefined ? await startTour(stack) : { url: values.server, tour: await readTour() }
  const given = { browser, url, logins: tour.logins, language: values.language }
  if (values.readme) return { saved: await takeReadme(given, save), skipped: [] }
  const screens = (await screensOf(root)).filter(({ name }) => name.includes(values.only))
  return takePictures(given, screens, save)
}

const takeAll = async (executable: string): Promise<void> => {
  await using stack = new AsyncDisposableStack()
  const browser = await launchChromium(executable)
  stack.defer(() => browser.close())
  const folder = values.folder ?? join(root, 'docs/pictures', kind)
  await mkdir(folder, { recursive: true })
  let bytes = 0
  const save: Save = async ({ name, png }) => {
    bytes += png.length
    await writeFile(join(folder, `${name}.png`), png)
  }
  const { saved, skipped } = values.verdicts
    ? { saved: await takeVerdicts(browser, save), skipped: [] }
    : await takeScreens(stack, browser, save)
  process.stdout.write(`${saved} pictures, ${(bytes / 1_000_000).toFixed(1)} MB\n`)
  for (const line of skipped) process.stdout.write(`skipped: ${line}\n`)
}

if (values.help) process.stdout.write(`${help}\n`)
else {
  const executable = findChromium({ showsPdfs: true })
  if (executable === undefined) {
    process.stderr.write('There is no chromium on this machine: install it, then run this again\n')
    process.exitCode = 1
  } else await takeAll(executable)
}
