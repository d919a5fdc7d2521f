import { parseSync, Visitor } from 'oxc-parser'

/** The errors whose message is the reason that a person reads. */
const errors = new Set(['CertificateUnreadable', 'PdfError', 'TransactionRefused', 'MailRefused'])
/** Functions that make such an error of a sentence. */
const makers = new Set([
  'notUsable',
  'refuse',
  'refused',
  'reject',
  'damaged',
  'failure',
  'invalidRecoveryDid',
])
/** Where the sentences of a Problem, of a finding and of a flaw are written. */
const fields = new Set(['details', 'reason', 'flaw', 'error'])

/** The sentences for people in a source, with a number in place of what is written into them. */
export const sentencesIn = (path: string, text: string, isAll = false): readonly string[] => {
  const sentences = new Set<string>()
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) collect(one)
    if (!isNode(node)) return
    const sentence = sentenceOf(node)
    if (sentence?.includes(' ') === true) sentences.add(sentence)
    if (sentence === undefined) for (const value of Object.values(node)) collect(value)
  }
  const { program } = parseSync(path, text)
  new Visitor({
    Property: ({ key, value }) => {
      if (key.type === 'Identifier' && fields.has(key.name)) collect(value)
    },
    NewExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && errors.has(callee.name)) collect(given)
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && makers.has(callee.name)) collect(given)
    },
    ReturnStatement: ({ argument }) => {
      if (isAll && argument !== null) collect(argument)
    },
    VariableDeclarator: ({ init }) => {
      if (isAll && init?.type === 'ObjectExpression') collect(init)
    },
  }).visit(program)
  return [...sentences]
}

type Node = { readonly type: string; readonly [field: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'type' in value

const sentenceOf = (node: Node): string | undefined => {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : ''
  if (node.type !== 'TemplateLiteral') return undefined
  const parts = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]
  return parts.map(({ value }) => value.cooked).join('7')
}
