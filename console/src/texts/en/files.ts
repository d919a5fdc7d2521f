import type { Mode } from '@millseal/contract'

const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`)
const certificates = (count: number): string => (count === 1 ? '1 certificate' : `${count} certificates`)

const withFindings = (count: number): string => (count === 0 ? '' : `, ${count} with findings`)
const outcomes: Readonly<Record<Mode, string>> = {
  live: 'in live mode: recorded permanently',
  test: 'in test mode: none becomes a valid certificate',
}
const mostShown = 3

export const texts = {
  title: 'New certificate',
  newIntro: 'Drop the JSON files of your ERP. They are checked first; nothing is notarized until you say so.',
  dropFiles: 'Drop JSON files',
  dropFilesText: 'JSON, or PDFs that Millseal made. One or hundreds, also a whole folder.',
  chooseFiles: 'Choose files',
  pasteJson: 'Paste JSON',
  pasteTitle: 'Paste a certificate',
  pasteLabel: 'The certificate as JSON',
  pasteAdd: 'Check it',
  pastedName: (time: string) => `Pasted at ${time}`,
  fillForm: 'Fill in a form',
  mayNotTitle: 'You can read certificates here',
  mayNotText: 'To notarize, you need the role of a clerk or an admin. Ask an admin of your company.',
  noIdentityTitle: 'There is no identity that can sign',
  noIdentityText:
    'A certificate is signed with an identity of your company. Create one first; your files stay here.',
  toKeys: 'Go to the keys',
  identity: 'Identity',
  identityHint: 'The key that signs. It is the same for all files below.',
  identityPublic: 'public',
  identityPrivate: 'not public',
  identityHidden: 'This identity is not public: receivers will see an unknown issuer.',
  notarize: (count: number) => `Notarize ${certificates(count)}`,
  notarizeThis: 'Notarize with findings …',
  notarizeDoubtful: (count: number) => `Notarize ${certificates(count)} with findings`,
  before: (count: number, doubtful: number, mode: Mode) =>
    `${certificates(count)}${withFindings(doubtful)}, ${outcomes[mode]}.`,
  mailedTo: (addresses: readonly string[], mode: Mode) => {
    if (mode === 'test') return 'Only members of your company get mails.'
    if (addresses.length === 0) return ''
    const more = addresses.length - mostShown
    return `Mailed to ${addresses.slice(0, mostShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
  },
  unaddressed: (without: number, all: number) =>
    without === all
      ? 'No receiver is mailed: no e-mail address of one is given.'
      : `${without} of ${all} give no e-mail address of a receiver: only your company is mailed those.`,
  haveRead: 'I have read this',
  paper: 'Paper',
  progress: (done: string, all: string) => `${done} of ${all} recorded`,
  checkProgress: (done: string, all: string) => `${done} of ${all} checked`,
  progressLabel: 'Progress',
  pausedSignedOut: 'This waits until you have signed in again.',
  pausedAway: 'The server does not answer. This goes on when it does.',
  pausedLimit: (seconds: number) => `The server asks for patience. This goes on in ${seconds} s.`,
  otherTab: 'Another tab of this browser does the work. This one shows how far it is.',
  mayClose:
    'You can close this tab. The files stay on this computer, and this goes on when you open the page again.',
  allRecorded: (count: number) => `${certificates(count)} recorded.`,
  fileStates: {
    added: 'Waiting',
    checking: 'Checking',
    unreadable: 'Cannot be read',
    repeated: 'The same as another file',
    invalid: 'To be corrected',
    valid: 'Valid',
    doubtful: 'Has findings',
    queued: 'Waiting to be sent',
    sending: 'Sending',
    sent: 'Notarizing',
    waiting: 'Awaiting release',
    recorded: 'Recorded',
    failed: 'Failed',
  },
  groups: {
    all: 'All',
    correct: 'To be corrected',
    valid: 'Valid',
    doubtful: 'With findings',
    working: 'In work',
    recorded: 'Recorded',
    failed: 'Failed',
  },
  fileColumns: { file: 'File', number: 'Number', state: 'State', what: 'What to do' },
  noAddress: 'No e-mail address of a receiver: only your company gets it by mail.',
  sameAs: (name: string) => `This is the same certificate as ${name}. It is notarized once.`,
  alreadyThere: 'It was notarized before; nothing was sent twice.',
  elsewhere: 'Another company has notarized or is notarizing this certificate.',
  elsewhereBy: (name: string, date: string) => `${name} recorded this certificate on ${date}.`,
  ownHint: 'If it names your company as its seller, with your reviewed VAT id, record your own entry.',
  recordOwn: 'Record own entry',
  moreFindings: (count: number) => (count === 1 ? '1 more place' : `${count} more places`),
  notes: (count: number) => (count === 1 ? '1 remark, no error' : `${count} remarks, no errors`),
  correctAgain: 'Correct it where it was made, then drop the file again: it takes the place of this one.',
  open: 'Open',
  again: 'Try again',
  allAgain: (count: number) => `Try ${files(count)} again`,
  removeName: (name: string) => `Remove ${name}`,
  removeRecorded: 'Remove the recorded ones',
  removeAll: 'Remove all',
  removeAllTitle: 'Remove all files from this list',
  removeAllConsequence:
    'The files are removed from this computer. What was sent already is notarized all the same and stays in Certificates.',
  notCertificate: 'This is JSON, but no certificate: it names no schema in RefSchemaUrl',
  isList: 'This is a list. Put each certificate into a file of its own',
  unreadableAt: (reason: string) => `This is not JSON: ${reason}`,
  isForeignPdf:
    'This is a PDF, and it has no data of Millseal inside. Drop the data from which it was made (JSON), or fill in the form. To check a certificate you received, open Verify.',
  isPicture:
    'This is a picture. A photo or a scan contains no data of a certificate: drop the data (JSON), or fill in the form.',
  unknownSchema: (nearest: string | undefined) =>
    `This service does not know this kind of certificate.${nearest === undefined ? '' : ` The nearest that it knows is ${nearest}.`} Ask the operator of the service to add its schema, or fill in the form.`,
  noFiles: 'Nothing was added: you dropped no files.',
  storageFailed:
    'This browser does not keep files here (private window?). Do not close the tab before all are recorded.',
  wholeCertificate: 'The certificate',
}
