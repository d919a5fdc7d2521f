import type { CodeAnswer, CodedCertificate } from '@millseal/contract'
import { correctionSentence, plainLine, type Tone, verdictWords } from '@millseal/proof'
import { element, factRows, textElement } from './dom.ts'
import { fetchText } from './service.ts'

type Certificates = readonly CodedCertificate[]
type Said = { readonly tone: Tone; readonly says: string; readonly why: string }

/** The certificates that the ledger has for a printed code. */
export const lookUp = async (code: string): Promise<Certificates> => {
  const text = await fetchText(`/api/certificates/codes/${code}`)
  return text === undefined ? [] : (JSON.parse(text) as CodeAnswer).certificates
}

/** Shows what the ledger says about a printed code, and returns it. */
export const showPaper = async (code: string): Promise<Certificates> => {
  try {
    const certificates = await lookUp(code)
    if (certificates.length === 0) show([blockOf(unknown)], askForFile)
    else
      show(
        certificates.map((one) => blockOf(saidOf(one), rowsOf(one))),
        checkFile,
      )
    return certificates
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    show([blockOf({ tone: 'none', says: verdictWords.unchecked, why })], reload)
    return []
  }
}

const unknown: Said = {
  tone: 'none',
  says: verdictWords.notFound,
  why: 'The ledger has nothing for this code: the document is a draft, or was never notarized here.',
}
const askForFile = 'Ask the sender for the PDF or JSON file, then choose it below.'
const checkFile =
  'This is what the ledger says about the code, not about the paper in your hand: anybody can print the code on another paper. Compare the issuer and the SHA-256 with the paper. To be certain, choose the PDF or JSON file you received below, or drop it on this page.'
const reload = 'Reload the page to look up the code again.'

/** Never the tone `good`: the paper was not verified. */
const words: Readonly<Record<CodedCertificate['verdict'], Pick<Said, 'tone' | 'says'>>> = {
  recorded: { tone: 'none', says: 'RECORDED – COMPARE THE PAPER' },
  unknownIssuer: { tone: 'caution', says: 'RECORDED, BUT THE ISSUER IS UNKNOWN' },
  unknownStatus: { tone: 'caution', says: 'RECORDED, BUT NOBODY SAYS IF IT IS STILL VALID' },
  test: { tone: 'caution', says: verdictWords.test },
  replaced: { tone: 'bad', says: 'REPLACED' },
  withdrawn: { tone: 'bad', says: verdictWords.withdrawn },
  revoked: { tone: 'bad', says: verdictWords.revoked },
}

/** Says TEST before everything else about a test certificate, too. */
const saidOf = (certificate: CodedCertificate): Said => {
  const { mode, verdict } = certificate
  const { tone, says } = words[verdict]
  const isMarked = mode === 'test' && verdict !== 'test'
  return {
    tone,
    says: isMarked ? `${verdictWords.test}. ${says}` : says,
    why: `${plainLine(whyOf(certificate), 1_000)}.`,
  }
}

const whyOf = ({ mode, verdict, answers, issuer, corrections, asOf }: CodedCertificate): string => {
  const correction = corrections?.findLast(({ kind }) => kind === verdict)
  if (correction !== undefined)
    return correctionSentence({ ...correction, time: correction.time ?? 'an unknown time' })
  const what = `a certificate with this code${mode === 'test' ? ' in test mode' : ''}`
  const who = answers.issuer === 'yes' ? issuer?.name : undefined
  const recorded = who === undefined ? `The ledger has ${what}` : `${who} notarized ${what}`
  switch (verdict) {
    case 'test':
      return `${recorded}: it does not describe real material`
    case 'unknownIssuer':
      return `${recorded}, but the operator of the log has not confirmed who signed it`
    case 'unknownStatus':
      return `${recorded}, but the log does not say whether it was withdrawn or replaced`
    default:
      return `${recorded}. It was not withdrawn or replaced as of ${asOf}`
  }
}

/** The name that a key gave itself is not shown. */
const rowsOf = (certificate: CodedCertificate): HTMLElement[] => {
  const { mode, answers, issuer, timestamp, asOf, hash, proof } = certificate
  const isKnown = answers.issuer === 'yes'
  return factRows([
    ['Mode', mode],
    ['Issuer', isKnown ? issuer?.name : 'not known'],
    ['VAT id', isKnown ? issuer?.vatId : undefined],
    ['Recorded', timestamp],
    ['Status as of', asOf ?? 'not known'],
    ['Log entry', proof?.logIndex.toString()],
    ['SHA-256', hash.value.replaceAll(/(.{8})(?=.)/gu, '$1 ')],
  ])
}

const blockOf = ({ tone, says, why }: Said, rows: readonly HTMLElement[] = []): HTMLElement => {
  const block = document.createElement('div')
  block.dataset['verdict'] = tone
  block.append(textElement('h2', says), textElement('p', why))
  if (rows.length === 0) return block
  const list = document.createElement('dl')
  list.className = 'facts'
  list.append(...rows)
  block.append(list)
  return block
}

const show = (blocks: readonly HTMLElement[], then: string): void =>
  element('paper', HTMLElement).replaceChildren(...blocks, textElement('p', then))
