import type { PageLanguage } from './page-language.ts'

export const homeWords = {
  en: {
    heading: 'Is this certificate genuine?',
    lead: 'Drop the file you received. You see at once whether anything in it was changed, who issued it, and whether it is still valid. It takes no account, and the file never leaves your browser.',
    verify: 'Verify a certificate',
    verifyText: 'You received a PDF or JSON file, or a paper with a QR code.',
    samples: 'No certificate at hand?',
    samplesText:
      'Try the test certificate of a company that does not exist. It is verified like any other file: the answer says TEST and names no issuer.',
    sample: {
      genuine: 'Open a genuine one',
      changed: 'Open a changed one',
      withdrawn: 'Open a withdrawn one',
    },
    work: 'Notarize certificates',
    workText: 'You issue certificates, or receive them regularly.',
    signIn: 'Sign in',
    register: 'Register',
    about: 'Material certificates that anyone can verify',
    aboutText:
      'A mill notarizes its certificates here: Millseal records the hash of each one, signed with a key of the mill, on a ledger to which entries can only be added. Anyone who receives a certificate can verify that it is the one that was issued and that nothing in it has changed.',
    operator: (name: string) => `Operated by ${name}.`,
    developers: 'For developers',
    guide: 'Documentation',
    reference: 'API reference',
  },
  de: {
    heading: 'Ist dieses Zeugnis echt?',
    lead: 'Ziehen Sie die Datei hierher, die Sie erhalten haben. Sie sehen sofort, ob etwas darin geändert wurde, wer das Zeugnis ausgestellt hat und ob es noch gilt. Dafür brauchen Sie kein Konto, und die Datei verlässt Ihren Browser nicht.',
    verify: 'Zeugnis prüfen',
    verifyText: 'Sie haben eine PDF- oder JSON-Datei erhalten oder ein Papier mit QR-Code.',
    samples: 'Kein Zeugnis zur Hand?',
    samplesText:
      'Probieren Sie es mit dem Testzeugnis einer Firma, die es nicht gibt. Es wird geprüft wie jede andere Datei: Die Antwort sagt TEST und nennt keinen Aussteller.',
    sample: {
      genuine: 'Ein echtes öffnen',
      changed: 'Ein geändertes öffnen',
      withdrawn: 'Ein zurückgezogenes öffnen',
    },
    work: 'Zeugnisse notarisieren',
    workText: 'Sie stellen Zeugnisse aus oder erhalten regelmäßig welche.',
    signIn: 'Anmelden',
    register: 'Registrieren',
    about: 'Werkstoffzeugnisse, die jeder prüfen kann',
    aboutText:
      'Ein Werk notarisiert hier seine Zeugnisse: Millseal trägt den Hashwert jedes Zeugnisses, mit einem Schlüssel des Werks signiert, in ein Ledger ein, dem sich nur Einträge hinzufügen lassen. Wer ein Zeugnis erhält, kann prüfen, dass es so ausgestellt wurde und nichts darin geändert ist.',
    operator: (name: string) => `Betrieben von ${name}.`,
    developers: 'Für Entwickler',
    guide: 'Dokumentation (englisch)',
    reference: 'API-Referenz',
  },
} satisfies Record<PageLanguage, unknown>
