export const texts = {
  title: 'Getting started',
  intro:
    'What is left until the first certificate. Each line leads to its screen; sections that are done are folded.',
  done: 'Done',
  next: 'Next',
  waiting: 'Waiting',
  open: 'To do',
  groups: {
    account: ['You and your company', ''],
    test: ['Try it in test mode', 'At once, without a review. Nothing made here is a valid certificate.'],
    live: ['Issue valid certificates', 'Live mode needs a verified company and a second factor.'],
  },
  steps: {
    emailConfirmed: ['Confirm your e-mail address', 'Open the link in the mail that we sent you.'],
    companyCreated: ['Create your company', 'With its VAT id. The register fills in name and address.'],
    companyVerified: [
      'Have the company verified',
      'The operator of this service compares it with the VAT register. We mail you the decision.',
    ],
    mfaEnabled: ['Set up a second factor', 'An app on your phone. Live mode needs it.'],
    wallet: ['Create a wallet', 'It contains the keys of the company. Keep its words on paper.'],
    identity: ['Create an identity', 'The key that notarizes, for example one for each works.'],
    published: [
      'Make an identity public',
      'From then on, everybody who verifies a certificate sees the name of your company.',
    ],
    certificate: ['Notarize the first certificate', 'From a file of your ERP system, or by form.'],
  },
  allDone: 'Everything is set up.',
  toCertificates: 'Go to the certificates',
}
