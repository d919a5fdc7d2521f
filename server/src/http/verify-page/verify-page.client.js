import {
  canonicalJson,
  encodeHex,
  portablePrimitives as primitives,
  readJson,
  readPolicy,
  verifyBundle,
} from './proof/index.ts'

const element = (id) => document.querySelector(`#${id}`)
const file = element('file')
const mode = element('mode')
const named = location.hash.slice(1).toLowerCase()
const wantedMode = new URLSearchParams(location.search).get('mode')
if (wantedMode === 'test' || wantedMode === 'live') mode.value = wantedMode

const sha256 = (bytes) => encodeHex(primitives.sha256(bytes))

const hashOf = (bytes) => {
  const isPdf = new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-')
  if (isPdf) return { kind: 'pdf', hash: sha256(bytes) }
  return {
    kind: 'json',
    hash: sha256(new TextEncoder().encode(canonicalJson(readJson(bytes, { maxDepth: 64 })))),
  }
}

const show = ({ verdict, checks = [], note = '' }) => {
  element('result').hidden = false
  element('result').dataset.verdict = verdict.kind
  element('verdict').textContent = verdict.says
  element('note').textContent = note
  element('checks').replaceChildren(
    ...checks.map(({ outcome, says }) => {
      const line = document.createElement('li')
      line.dataset.outcome = outcome
      line.textContent = says
      return line
    }),
  )
}

const fetchText = async (path) => {
  const response = await fetch(path)
  if (response.status === 404) return undefined
  if (!response.ok)
    throw new Error(
      response.status === 429 ? 'Too many attempts: wait a minute.' : 'The service cannot be asked.',
    )
  return response.text()
}

const trust =
  'The key of the log came from this service. To depend on nobody, keep the proof and use: millseal verify --bundle --policy'

const verify = async (hashed) => {
  const [bundle, key] = await Promise.all([
    fetchText(`/api/certificates/proof/${hashed.hash}?mode=${mode.value}`),
    fetchText(`/ledger/${mode.value}/vkey`),
  ])
  if (bundle === undefined) {
    const says = `Not known in ${mode.value} mode: it was changed, or never notarized here.`
    show({ verdict: { kind: 'failed', says: 'Not valid' }, checks: [{ outcome: 'failed', says }] })
    return
  }
  const policy = readPolicy({ logs: key === undefined ? [] : [key.trim()] }, primitives)
  const report = verifyBundle({ file: hashed, bundle: JSON.parse(bundle), policy }, primitives)
  const isOther = named !== '' && ![named].some((hash) => bundle.includes(hash))
  const checks = isOther
    ? [
        ...report.checks,
        { outcome: 'failed', says: 'It is another certificate than the one whose code you scanned' },
      ]
    : report.checks
  const isValid = report.isValid && !isOther
  show({
    verdict: isValid ? { kind: 'passed', says: 'Genuine' } : { kind: 'failed', says: 'Not valid' },
    checks,
    note: trust,
  })
}

const run = async () => {
  const [chosen] = file.files
  if (chosen === undefined) return
  try {
    await verify(hashOf(new Uint8Array(await chosen.arrayBuffer())))
  } catch (error) {
    show({
      verdict: { kind: 'failed', says: 'Could not be checked' },
      checks: [{ outcome: 'failed', says: error.message }],
    })
  }
}

file.addEventListener('change', () => void run())
mode.addEventListener('change', () => void run())
document.querySelector('form').addEventListener('submit', (event) => event.preventDefault())
