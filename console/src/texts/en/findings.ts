const findings = (count: number): string => (count === 1 ? '1 finding' : `${count} findings`)

/** About certificates that say what does not fit together. */
export const texts = {
  found: (count: number) => `${findings(count)}: the certificate says what does not fit together`,
  noAddress:
    'The certificate names no e-mail address of a receiver. Only your company gets it by mail; add the address before you notarize.',
  notarizeWith: (count: number) => `Notarize with ${findings(count)}`,
  consequence:
    'Correct what is wrong first. If it has to stay, it is recorded permanently as it stands, and the audit log says how many findings were accepted.',
  accept: (count: number) =>
    count === 1 ? 'I have read this finding: notarize' : `I have read these ${count} findings: notarize`,
}
