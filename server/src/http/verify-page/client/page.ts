import {
  canonicalJson,
  encodeHex,
  portablePrimitives as primitives,
  readJson,
  readPolicy,
  verifyBundle,
} from '@millseal/proof'

type Line = { readonly outcome: string; readonly says: string }
type Shown = {
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
/** What the QR code of a document names: the hash of its JSON. */
const named = location.hash.slice(1).toLowerCase()

const sha256 = (bytes: Uint8Array): string => encodeHex(primitives.sha256(bytes))

const hashOf = (bytes: Uint8Array): Hashed => {
  const isPdf = new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-')
  if (isPdf) return { kind: 'pdf', hash: sha256(bytes) }
  const canonical = canonicalJson(readJson(bytes, { maxDepth: 64 }))
  return { kind: 'json', hash: sha256(new TextEncoder().encode(canonical)) }
}

const show = ({ isValid, says, lines, note = '' }: Shown): void => {
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

const refuse = (says: string, reason: string): void =>
  show({ isValid: false, says, lines: [{ outcome: 'failed', says: reason }] })

const fetchText = async (path: string): Promise<string | undefined> => {
  const response = await fetch(path)
  if (response.ok) return response.text()
  if (response.status === 404) return undefined
  throw new Error(
    response.status === 429 ? 'Too many attempts: wait a minute.' : 'The service cannot be asked.',
  )
}

const trust =
  'The key of the log came from this service. To depend on nobody, keep the proof and use: millseal verify --bundle --policy'

const verify = async (hashed: Hashed): Promise<void> => {
  const [bundle, key] = await Promise.all([
    fetchText(`/api/certificates/proof/${hashed.hash}?mode=${mode.value}`),
    fetchText(`/ledger/${mode.value}/vkey`),
  ])
  if (bundle === undefined)
    return refuse('Not valid', `Not known in ${mode.value} mode: it was changed, or never notarized here.`)
  if (named !== '' && !bundle.includes(named))
    return refuse('Not valid', 'It is another certificate than the one whose code you scanned.')
  const policy = readPolicy({ logs: key === undefined ? [] : [key.trim()] }, primitives)
  const { isValid, checks } = verifyBundle({ file: hashed, bundle: JSON.parse(bundle), policy }, primitives)
  show({ isValid, says: isValid ? 'Genuine' : 'Not valid', lines: checks, note: trust })
}

const run = async (): Promise<void> => {
  const chosen = file.files?.[0]
  if (chosen === undefined) return
  try {
    await verify(hashOf(new Uint8Array(await chosen.arrayBuffer())))
  } catch (error) {
    refuse('Could not be checked', error instanceof Error ? error.message : String(error))
  }
}

const wantedMode = new URLSearchParams(location.search).get('mode')
if (wantedMode === 'test' || wantedMode === 'live') mode.value = wantedMode
file.addEventListener('change', () => void run())
mode.addEventListener('change', () => void run())
document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault())
