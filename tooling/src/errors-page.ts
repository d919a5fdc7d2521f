import { errors } from '../../contract/src/errors.ts'
import { reasonGroups } from '../../contract/src/reasons.ts'

const headings: Readonly<Record<keyof typeof reasonGroups, string>> = {
  requests: 'Requests',
  people: 'Accounts, companies and members',
  access: 'Applications, tokens and scopes',
  keys: 'Wallets, identities, transactions and ledgers',
  certificates: 'Certificates',
  findings: 'Places in a certificate',
  selfCheck: 'Certificates that contradict themselves',
  requirements: 'Requirements, and certificates that are checked against them',
  orders: 'Order lines, and certificates that are compared with them',
  pictures: 'Pictures and documents',
  packs: 'Archives with schemas',
  json: 'Texts that are not JSON',
  deliveries: 'Webhooks and mails',
  work: 'Jobs and parts of the installation',
}

const intro = `# Errors

Every error of the API has the same seven fields, and \`reasons\` if it has details:

\`\`\`json
{
  "statusCode": 400,
  "path": "/companies/018f.../hooks",
  "method": "POST",
  "timestamp": "2026-11-28T09:14:00.000Z",
  "message": "The request is not valid: /secret must be base64 after the prefix whsec_",
  "name": "BadRequestException",
  "details": ["/secret must be base64 after the prefix whsec_"],
  "reasons": [{ "code": "secret_malformed", "values": { "place": "/secret" } }]
}
\`\`\`

- The header \`x-error\` has the code of the error. Its status and message never change with a call.
- \`details\` are sentences in English for people. \`reasons\` has the code and the values of each of them, in the same order, for programs and for other languages.
- \`values\` has what the sentence names. Each reason may also have \`place\`, the JSON pointer or parameter that it is about, and \`label\`, the name of that place
  on paper, or the pointer at which a text stops being JSON. A value can be a reason itself. Values never contain secrets.
- Below, \`{place}: \` begins a sentence that can stand alone. All other sentences follow their place: \`/name is required\`.
- Where the API stores or answers the reason of something else, such as a failed notarization or delivery, \`reasons\` is beside the English text. What older
  releases stored has only the text. Events do not have \`reasons\`.
- New codes can be added in any release: treat an unknown one like its English sentence.

\`script/dump\` writes this page from \`contract/src/errors.ts\` and \`contract/src/reasons/\`, which also has the German words of each reason.
`

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;')

/** The page docs/errors.md. */
export const errorsPage = (): string => {
  const known = Object.entries(errors).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${cell(message)} |`,
  )
  const groups = Object.entries<Readonly<Record<string, { readonly en: string }>>>(reasonGroups).flatMap(
    ([name, reasons]) => [
      `### ${headings[name as keyof typeof headings]}`,
      '',
      '| code | sentence |',
      '| --- | --- |',
      ...Object.entries(reasons).map(([code, { en }]) => `| \`${code}\` | ${cell(en)} |`),
      '',
    ],
  )
  return [
    intro,
    '## Codes of errors',
    '',
    '| code | status | message |',
    '| --- | --- | --- |',
    ...known,
    '',
    '## Codes of reasons',
    '',
    'The names in braces are those of the values.',
    '',
    ...groups,
  ].join('\n')
}
