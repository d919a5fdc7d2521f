import { encodeBase64 } from '../encoding/base64.ts'
import { concatBytes, utf8 } from '../encoding/bytes.ts'
import { openSslStamps } from '../stamps/openssl-stamps.fixture.ts'
import { type CorpusCase, members, type Vector } from './cases.fixture.ts'
import { type Text, tlogPolicyTexts } from './tlog-policies.corpus.fixture.ts'

/** Policies of version 2 for a bundle that a quorum of nodes holds, and bare texts of tlog-policies. */
export const policy2Cases = ({ name: whose, file, bundle, policy }: Vector): CorpusCase[] => {
  const { log } = members(policy) as { readonly log: string }
  const cases = [...bareTexts(log), ...wholeTexts(log), ...memberTexts(log), ...tlogPolicyTexts(log)]
  return cases.map(([name, text, verdict]) => ({
    name: `${whose}: policy 2: ${name}`,
    file,
    bundle,
    policyBytes: encodeBase64(typeof text === 'string' ? utf8(text) : text),
    verdict,
  }))
}

/** A file that does not begin with `{` is the text of a tlog-policy. */
const bareTexts = (log: string): Text[] => [
  ['a bare tlog-policy', log, 'genuine'],
  ['a bare tlog-policy after a comment', `# {"policyVersion":2}\n${log}`, 'genuine'],
  ['a bare tlog-policy after white space', ` \t\n\n${log}`, 'genuine'],
  ['a bare tlog-policy with CR LF', log.replaceAll('\n', '\r\n'), 'unreadable'],
  ['a bare tlog-policy with CR LF before it', `\r\n${log}`, 'unreadable'],
  ['a bare tlog-policy with a byte order mark', `\ufeff${log}`, 'unreadable'],
  ['a bare tlog-policy without the last newline', log.slice(0, -1), 'unreadable'],
  [
    'a bare tlog-policy with a byte that is not UTF-8',
    concatBytes(utf8('# '), Uint8Array.of(0xff), utf8(`\n${log}`)),
    'unreadable',
  ],
  ['a bare tlog-policy with NUL', `# \0\n${log}`, 'unreadable'],
  ['a bare tlog-policy that begins with a brace', `{\n${log}`, 'unreadable'],
]

const wholeTexts = (log: string): Text[] => [
  ['no members', '{"policyVersion":2}', 'unchecked'],
  ['without its version', `{"log":${JSON.stringify(log)}}`, 'unreadable'],
  ['of version 1', `{"policyVersion":1,"log":${JSON.stringify(log)}}`, 'unreadable'],
  ['nodes without log', '{"policyVersion":2,"nodes":["inspector"]}', 'unreadable'],
  ['empty nodes without log', '{"policyVersion":2,"nodes":[]}', 'unchecked'],
  ['log: no log lines', '{"policyVersion":2,"log":"quorum none\\n"}', 'unchecked'],
  ...['null', '1', '[]', '{}', '""', '"\\n"', '"quorum none"'].map(
    (text): Text => [`log: ${text}`, `{"policyVersion":2,"log":${text}}`, 'unreadable'],
  ),
]

const root = encodeBase64(openSslStamps[1]?.root ?? new Uint8Array())
const authority = JSON.stringify({ name: 'A', root })
const others = [
  '"policyVersion":2',
  '"logs":[]',
  '"more":1',
  '"Nodes":[]',
  '"maxStatusAgeDays":1',
  '"quorum":"others"',
]
/** Values of each member, by what becomes of them. */
const values: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  nodes: {
    genuine: ['[]', '["inspector"]', '["inspector","inspector"]', '["university","inspector","association"]'],
    unreadable: [
      'null',
      '{}',
      '"inspector"',
      '[1]',
      '["others"]',
      '["Inspector"]',
      '["none"]',
      '[""]',
      '["inspection.example/node"]',
    ],
  },
  maxStatusAge: {
    oldStatus: ['0'],
    genuine: ['30', '36500', '3.0e1'],
    unreadable: ['-1', '-0', '36501', '1.5', '"30"', 'null', '[30]', 'true', '1e400'],
  },
  authorities: {
    genuine: ['[]', `[${authority}]`, `[${authority},${authority}]`, `[${Array(8).fill(authority).join()}]`],
    unreadable: [
      'null',
      authority,
      '["A"]',
      '[{"name":"A"}]',
      '[{"root":"AAAA"}]',
      '[{"name":1,"root":"AAAA"}]',
      '[{"name":"A","root":"AAA"}]',
      '[{"name":"A","root":"AAB="}]',
      '[{"name":"A","root":null}]',
      '[{"name":"A","root":"AAAA","more":1}]',
      `[${Array(9).fill(authority).join()}]`,
    ],
  },
  issuers: { genuine: ['[]'], unreadable: ['{}'] },
  onlyKnownIssuers: { genuine: ['false'], unreadable: ['1'] },
}

const memberTexts = (log: string): Text[] => {
  const given = (member: string, verdict: string): Text => [
    member,
    `{"policyVersion":2,"log":${JSON.stringify(log)},${member}}`,
    verdict,
  ]
  return [
    ...others.map((member) => given(member, 'unreadable')),
    ...Object.entries(values).flatMap(([name, byVerdict]) =>
      Object.entries(byVerdict).flatMap(([verdict, list]) =>
        list.map((value) => given(`"${name}":${value}`, verdict)),
      ),
    ),
  ]
}
