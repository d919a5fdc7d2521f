import type { CodedCertificate } from '@millseal/contract'
import { correctionSentence, type CountedCorrection, verdictWords } from '@millseal/proof/verifier'

const sentence = (
  correction: Pick<CountedCorrection, 'kind' | 'by' | 'time' | 'reason'> & {
    readonly replacedBy?: string | undefined
    readonly since?: string | undefined
  },
): string => correctionSentence(correction as CountedCorrection)

export const en = {
  name: 'English',
  locale: 'en-GB',
  title: 'Verify a certificate',
  drop: 'Choose the PDF or JSON file you received, or drop it here',
  dropMore: 'Or several files, a folder, a zip, a proof bundle.',
  folder: 'Choose a folder',
  privacy: 'Your files never leave this browser. It asks the service only for their hashes.',
  modeLabel: 'Notarized in',
  modes: { live: 'live mode', test: 'test mode' },
  camera: 'Scan the code',
  cameraHint: 'Only paper? Scan its QR code with the camera app of your phone.',
  checking: (done: number) => `Checking … ${done}`,
  again: 'Check another',
  print: 'Print or save as PDF',
  csv: 'Save as CSV',
  bundle: 'Save proof bundle',
  bundleReady: 'The proof bundle is ready. Now choose the certificate.',
  policy: 'Choose your trust policy',
  policyUsed: (name: string) => `Your trust policy ${name} decides.`,
  byPolicy: (name: string) => `BY YOUR POLICY ${name}`,
  stopUsing: 'Stop using it',
  ignored: (name: string, whom: string) =>
    `Ignored: the trust policy ${name} came with the files. It would trust ${whom}.`,
  useAnyway: 'Use it as mine',
  lookingUp: 'Looking up the code …',

  offline: 'The service cannot be reached. Try again later, or choose the file with its proof bundle.',
  serviceFailed: (status: number) =>
    `The service cannot answer now (status ${status}). Try again in a minute.`,
  notReadable: (reason: string) => `The file is neither a PDF nor a certificate in JSON: ${reason}.`,
  badPolicy: (reason: string) => `The trust policy cannot be used: ${reason}.`,
  twoFormats: 'Do not use this file: it is a PDF and something else at once.',
  unreadable: 'The file is damaged, encrypted or too large.',
  unasked: (asOf: string) =>
    `The service did not answer. Your proof bundle proves this as of ${asOf}, not whether it was withdrawn or replaced later.`,

  says: verdictWords,
  replacedBy: (transaction: string) => `REPLACED by the certificate of transaction ${transaction}`,
  /** One sentence each: the four answers below say the rest. */
  why: {
    file: 'This is not the notarized file.',
    proof: 'The proof of this file was altered or forged.',
    unchecked: 'No trusted key of the ledger is known to check the proof with.',
    test: 'It does not describe real material.',
    genuine: (name: string) => `Unchanged since ${name} notarized it.`,
  },
  another: {
    says: 'ANOTHER CERTIFICATE',
    why: 'This is not the certificate whose QR code you scanned.',
  },
  needsBundle: 'Choose the file with its proof bundle, or check it online.',
  unknownIn: (mode: string) =>
    `Unknown in ${mode}: the file was changed, or never notarized here. Ask the sender for the original file; a scan, a photo or a new print is another one.`,
  knownElsewhere: (mode: string, other: string) =>
    `Unknown in ${mode}, but notarized in ${other}. Choose ${other} below.`,
  remark: (remark: string) => `${remark}.`,
  notCheckedHere: 'Not checked by Millseal: this service has no record of it.',

  certificate: 'Certificate',
  heat: 'heat',
  order: 'order',
  date: 'date',
  summaryOf: 'As the file says:',
  rows: {
    unchanged: {
      yes: 'Unchanged',
      no: 'Not the notarized file',
      unknown: 'Not known if it is unchanged',
      same: 'This is the file that was notarized. Not a character differs.',
      changed: 'Do not rely on this file.',
      meaning: 'The issuer recorded a fingerprint of the file. Any change gives another one.',
    },
    issuer: {
      by: (name: string) => `By ${name}`,
      no: 'Not by an issuer you accept',
      unknown: 'Issuer unknown',
      reviewed: (date: string, vatId: string | undefined) =>
        `Company reviewed on ${date}${vatId === undefined ? '' : `, VAT id ${vatId}`}`,
      policy: 'Your trust policy names its key.',
      nobody: 'Nobody you trust says whose key signed this. A name on the paper is not enough.',
      refused: 'The key that signed it is not in your trust policy.',
      meaning:
        'Anybody can write a name on a certificate, but only the issuer has its key. The operator of the ledger confirms a name after a review.',
    },
    time: {
      on: (time: string) => `On ${time}`,
      unknown: 'Time not known',
      where: (index: string, size: string, log: string) =>
        `Entry ${index} of ${size} on the ledger ${log}. No independent witness has confirmed the time yet.`,
      unconfirmed: 'The ledger confirms no time.',
      meaning: 'The ledger only grows. The operator signed the time.',
    },
    status: {
      yes: 'Still valid',
      unknown: 'Not known if it is still valid',
      asOf: (time: string) => `Not withdrawn or replaced as of ${time}.`,
      nobody: 'The ledger does not say whether it was withdrawn or replaced.',
      kinds: { withdrawn: 'Withdrawn', replaced: 'Replaced', revoked: 'Signed with a revoked key' },
      meaning: 'It can be withdrawn or replaced later: check again then.',
    },
    skipped: 'Not checked: it would say nothing about this file.',
  },
  meaning: 'What does this mean?',
  technical: 'Technical details',
  facts: {
    issuer: 'Issuer',
    vatId: 'VAT id',
    recorded: 'Recorded',
    asOf: 'Status as of',
    correction: 'Correction',
    mode: 'Mode',
    entry: 'Log entry',
    unknown: 'not known',
  },
  correction: sentence,
  differences: 'Fields that differ from the notarized certificate',
  field: 'Field',
  notarized: 'Notarized',
  here: 'In this file',
  inside:
    'The PDF was changed, or saved again, after it was notarized. The data inside it are unchanged: compare the page with them, and ask for the original file.',
  picture: 'The file you checked',
  report: (count: number) => `${count} files checked`,
  columns: ['File', 'Verdict'],

  paper: {
    title: 'About the code',
    says: {
      recorded: 'RECORDED – COMPARE THE PAPER',
      unknownIssuer: 'RECORDED, BUT THE ISSUER IS UNKNOWN',
      unknownStatus: 'RECORDED, BUT NOBODY SAYS IF IT IS STILL VALID',
      test: verdictWords.test,
    } satisfies Record<Exclude<CodedCertificate['verdict'], CountedCorrection['kind']>, string>,
    notFoundWhy:
      'The ledger has nothing for this code: the document is a draft, or was never notarized here.',
    why: (who: string | undefined, isTest: boolean) =>
      `${who === undefined ? 'The ledger has' : `${who} notarized`} a certificate with this code${isTest ? ' in test mode' : ''}`,
    noMaterial: 'it does not describe real material.',
    replacement: 'Open the certificate that replaces it',
    askForFile: 'Ask the sender for the PDF or JSON file, then choose it below.',
    compare: 'Is this the paper in your hand? Compare the issuer and the SHA-256 with it.',
    checkFile:
      'This is about the code, not about the paper in your hand: anybody can print it on another paper. To be certain, choose the file you received.',
  },
}
