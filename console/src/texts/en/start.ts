export const texts = {
  title: 'Getting started',
  intro:
    'What is left until the first certificate. Each line leads to its screen; what is done stays visible.',
  done: 'Done',
  open: 'Open',
  steps: {
    emailConfirmed: ['Confirm your e-mail address', 'Open the link in the mail that we sent you.'],
    companyCreated: ['Found your company', 'With its VAT id. The register fills in name and address.'],
    companyVerified: [
      'Have the company reviewed',
      'The operator of this service compares it with the VAT register.',
    ],
    mfaEnabled: ['Set up a second factor', 'An app on your phone. Live mode needs it.'],
    walletCreated: ['Create a wallet', 'It holds the keys of the company. Keep its words on paper.'],
    identityCreated: [
      'Create an identity',
      'The key that notarizes, for example one per works. Make it public.',
    ],
    firstCertificate: ['Notarize the first certificate', 'In test mode you can begin at once.'],
  },
}
