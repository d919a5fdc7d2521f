import {
  canonicalJson,
  encodeHex,
  looksLikePdf,
  JsonError,
  type JsonValue,
  portablePrimitives as primitives,
  readJson,
  readPolicy,
  verifyBundle,
} from '@millseal/proof'

type Line = { readonly outcome: string; readonly says: string }
type Verdict = {
  readonly isValid: boolean
  readonly says: string
  readonly lines: readonly Line[]
  readonly note?: string
}
type Hashed = { readonly kind: 'json' | 'pdf'; readonly hash: string }

const element = <T extends HTMLElement>(id: string, kind: new () => T): T => {
  const found = document.querySelector(`#${id}`)
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}`)
  return found
}

const file = element('file', HTMLInputElement)
const mode = element('mode', HTMLSelectElement)
/** The QR code of a document contains the hash of its JSON. It changes if another code is opened in the same tab. */
const scannedHash = (): string => location.hash.slice(1).toLowerCase()

const sha256 = (bytes: Uint8Array): string => encodeHex(primitives.sha256(bytes))

const hashOf = (bytes: Uint8Array): Hashed => {
  if (looksLikePdf(bytes)) return { kind: 'pdf', hash: sha256(bytes) }
  const canonical = canonicalJson(jsonIn(bytes))
  return { kind: 'json', hash: sha256(new TextEncoder().encode(canonical)) }
}

const jsonIn = (bytes: Uint8Array): JsonValue => {
  try {
    return readJson(bytes, { maxDepth: 64 })
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw new Error(`The file is neither a PDF nor a certificate in JSON: ${error.message}.`, {
      cause: error,
    })
  }
}

const show = ({ isValid, says, lines, note = '' }: Verdict): void => {
  const result = element('result', HTMLElement)
  result.hidden = false
  result.dataset['verdict'] = isValid ? 'passed' : 'failed'
  element('verdict', HTMLElement).textContent = says
  element('note', HTMLElement).textContent = note
  element('checks', HTMLUListElement).replaceChildren(
    ...lines.map(({ outcome, says: text }) => {
      const line = document.createElement('li')
      line.dataset['outcome'] = outcome
      line.textContent = text
      return line
    }),
  )
}

const failed = (says: string, reason: string): Verdict => ({
  isValid: false,
  says,
  lines: [{ outcome: 'failed', says: reason }],
})

const fetchText = async (path: string): Promise<string | undefined> => {
  const response = await fetch(path)
  if (response.ok) return response.text()
  if (response.status === 404) return undefined
  throw new Error(
    response.status === 429
      ? 'Too many attempts. Wait a minute, then try again.'
      : 'The service cannot be reached. Try again later.',
  )
}

const fetchBundle = (hash: string, wanted: string): Promise<string | undefined> =>
  fetchText(`/api/certificates/proof/${hash}?mode=${wanted}`)

const trust =
  'This check used the log key from this service. To verify without trusting the service, save the proof bundle and run: millseal verify --bundle --policy'

const verify = async (hashed: Hashed): Promise<Verdict> => {
  const scanned = scannedHash()
  const [bundle, key] = await Promise.all([
    fetchBundle(hashed.hash, mode.value),
    fetchText(`/ledger/${mode.value}/vkey`),
  ])
  if (bundle === undefined) return failed('Not valid', await whyUnknown(hashed))
  const policy = readPolicy({ logs: key === undefined ? [] : [key.trim()] }, primitives)
  const check = (one: Hashed) => verifyBundle({ file: one, bundle: JSON.parse(bundle), policy }, primitives)
  if (scanned !== '' && !check({ kind: 'json', hash: scanned }).isValid)
    return failed('Not valid', 'This is not the certificate whose QR code you scanned.')
  const { isValid, checks } = check(hashed)
  return { isValid, says: isValid ? genuine() : 'Not valid', lines: checks, note: trust }
}

const genuine = (): string =>
  mode.value === 'test' ? 'Genuine, but only a test: it does not describe real material' : 'Genuine'

const whyUnknown = async ({ hash }: Hashed): Promise<string> => {
  const other = mode.value === 'live' ? 'test' : 'live'
  if ((await fetchBundle(hash, other)) === undefined)
    return `Unknown in ${mode.value} mode: the file was changed, or was never notarized here.`
  const meaning = other === 'test' ? ', so it does not describe real material' : ''
  return `Unknown in ${mode.value} mode, but notarized in ${other} mode${meaning}. To check it there, choose ${other} mode above.`
}

let latestRun = 0

/** Shows a verdict only if the file and the mode are still the chosen ones. */
const run = async (): Promise<void> => {
  latestRun += 1
  const thisRun = latestRun
  element('result', HTMLElement).hidden = true
  const chosen = file.files?.[0]
  if (chosen === undefined) return
  const verdict = await chosen
    .arrayBuffer()
    .then((bytes) => verify(hashOf(new Uint8Array(bytes))))
    .catch((error: unknown) =>
      failed('Could not be checked', error instanceof Error ? error.message : String(error)),
    )
  if (thisRun === latestRun) show(verdict)
}

const wantedMode = new URLSearchParams(location.search).get('mode')
if (wantedMode === 'test' || wantedMode === 'live') mode.value = wantedMode
file.addEventListener('change', () => void run())
mode.addEventListener('change', () => void run())
window.addEventListener('hashchange', () => void run())
document.addEventListener('dragover', (event) => event.preventDefault())
document.addEventListener('drop', (event) => {
  event.preventDefault()
  const dropped = event.dataTransfer?.files
  if (dropped === undefined || dropped.length === 0) return
  file.files = dropped
  void run()
})
document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault())
