import type { CodedCertificate } from '@millseal/contract'
import {
  confirmationWords,
  correctionSentence,
  type CountedCorrection,
  ownReviewSentence,
  verdictWords,
} from '@millseal/proof/verifier'

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
  dropFiles: 'Choose the PDF or JSON file you received, or drop it here',
  dropMore: 'Or several files, a folder, a zip, a proof bundle.',
  chooseFolder: 'Choose a folder',
  staysHere: 'Your files stay in this browser. It asks the service only for their hashes.',
  modes: { live: 'live mode', test: 'test mode' },
  scanCode: 'Scan the code',
  cameraHint: 'Only paper? Scan its QR code with your phone.',
  nowChecking: (done: number) => `Checking … ${done}`,
  checkAnother: 'Check another',
  printPage: 'Print',
  saveCsv: 'Save as CSV',
  saveBundle: 'Save proof bundle',
  bundleReady: 'The proof bundle is ready. Now choose the certificate.',
  policy: 'Choose your trust policy',
  policyUsed: (name: string) => `Your trust policy ${name} decides.`,
  byPolicy: (name: string) => `BY YOUR POLICY ${name}`,
  stopUsing: 'Stop using it',
  ignored: (name: string, whom: string) =>
    `Ignored: the trust policy ${name} came with the files. It would trust ${whom}.`,
  useAnyway: 'Use it as mine',
  lookingUp: 'Looking up the code …',

  notReached: 'The service cannot be reached. Try again, or choose the file with its proof bundle.',
  serviceFailed: (status: number) => `The service cannot answer (status ${status}). Try again.`,
  notReadable: (reason: string) => `The file is neither a PDF nor a certificate in JSON: ${reason}.`,
  badPolicy: (reason: string) => `The trust policy cannot be used: ${reason}.`,
  twoFormats: (one: string, other: string) => `Do not use this file: it is a ${one} and ${other} at once.`,
  fileUnreadable: 'The file is damaged, encrypted or too large.',
  unasked: (asOf: string, from: string | undefined) =>
    `The service ${from === undefined ? 'did not answer. Your proof bundle' : `has no answer. The proof bundle of ${from}`} covers the time until ${asOf}.`,

  askNodes: 'These nodes may have its proof bundle. Save it, and choose it here with the file:',

  says: verdictWords,
  /** One sentence each: the four answers below say the rest. */
  why: {
    file: 'This is not the notarized file.',
    proof: 'The proof of this file was altered or forged.',
    unchecked: 'No trusted key of the ledger is known.',
    test: 'It does not describe real material.',
    genuine: (name: string) => `Unchanged since ${name} notarized it.`,
    itself: `${ownReviewSentence}.`,
  },
  changed: {
    says: 'Changed. Do not accept.',
    why: (name: string | undefined, number: string | undefined, isValues: boolean) => {
      const original = number === undefined ? 'the original' : `certificate ${number}`
      return `${name ?? 'Somebody'} notarized ${original}, but not ${isValues ? 'with these values' : 'this file'}.`
    },
    action: 'Block the material.',
    original: (answer: string) => `The original: ${answer}`,
  },
  another: {
    says: 'ANOTHER CERTIFICATE',
    why: 'Not the certificate whose QR code you scanned.',
  },
  needsBundle: 'Choose the file with its proof bundle.',
  unknownFile: 'Nothing is recorded for this file: it was changed, or never notarized here.',
  askForOriginal: 'Ask the sender for the original file. A scan or print is not enough.',
  remarkOn: (remark: string) => `${remark}.`,

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
      same: 'Not a character differs.',
    },
    issuer: {
      by: (name: string) => `By ${name}`,
      no: 'Not by an issuer you accept',
      unknown: 'Issuer unknown',
      reviewed: (date: string, vatId: string | undefined) =>
        `Company reviewed on ${date}${vatId === undefined ? '' : `, VAT id ${vatId}`}`,
      policy: 'Your trust policy names its key.',
      nobody: 'Nobody you trust says whose key signed this.',
      refused: 'Your trust policy does not name its key.',
    },
    time: {
      on: (time: string) => `On ${time}`,
      unknown: 'Time not known',
      unconfirmed: 'The ledger confirms no time.',
      confirmed: 'Signed by the operator of the ledger.',
    },
    status: {
      yes: 'Still valid',
      unknown: 'Not known if it is still valid',
      asOf: (time: string) => `Not withdrawn or replaced as of ${time}.`,
      old: (time: string) => `Status of ${time}: ask again.`,
      nobody: 'The ledger does not say.',
      kinds: { withdrawn: 'Withdrawn', replaced: 'Replaced', revoked: 'Signed with a revoked key' },
    },
  },
  confirmation: confirmationWords,
  technicalDetails: 'Technical details',
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
  fieldName: 'Field',
  notarized: 'Original',
  inThisFile: 'In this file',
  insidePdf: 'The data inside the PDF are unchanged: compare its page with them.',
  pictureTitle: 'The file you checked',
  filesChecked: (count: number) => `${count} files checked`,
  columnNames: ['File', 'Verdict'],

  paper: {
    title: 'About the code',
    says: {
      recorded: 'Recorded – compare the paper',
      unknownIssuer: 'Recorded, but the issuer is unknown',
      unknownStatus: 'Recorded, but nobody says if it is still valid',
      test: verdictWords.test,
    } satisfies Record<Exclude<CodedCertificate['verdict'], CountedCorrection['kind']>, string>,
    notFoundWhy: 'Nothing is recorded for this code: the document is a draft, or was never notarized here.',
    why: (who: string | undefined, isTest: boolean) =>
      `${who === undefined ? 'The ledger has' : `${who} notarized`} a certificate with this code${isTest ? ' in test mode' : ''}`,
    noMaterial: 'it does not describe real material.',
    replacement: 'Open the certificate that replaces it',
    askForFile: 'Ask the sender for the original file.',
    compare: 'Is this the paper in your hand? Compare the issuer and the SHA-256 with it.',
    checkFile: 'Anybody can print this code on another paper. To be certain, choose the file you received.',
  },
}
