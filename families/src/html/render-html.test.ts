import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonValue } from '@millseal/proof'
import { certificateOf, inventedCertificate } from '../../test/invented-certificate.ts'
import { pageText } from '../../test/page-text.ts'
import { realCertificates, underOwnSchema, withoutRealCertificates } from '../../test/real-certificates.ts'
import { type Certificate, readCertificate } from '../certificate/read-certificate.ts'
import type { DocumentModel } from '../model/document.ts'
import { createRegistry } from '../registry/registry.ts'
import { toDocument } from '../to-document.ts'
import { htmlPolicy, type HtmlOptions, renderHtml } from './render-html.ts'

const registry = createRegistry({ log: { warn: assert.fail } })
const options: HtmlOptions = {
  mode: 'live',
  hash: 'ab'.repeat(32),
  verifyUrl: 'https://example.org/verify/ab',
}

const render = async (certificate: Certificate, more: Partial<HtmlOptions> = {}): Promise<string> => {
  const entry = await registry.find(certificate.refSchemaUrl)
  assert.ok(entry)
  return renderHtml(toDocument(certificate, entry), { ...options, ...more })
}

/** Every tag and attribute that the templates write. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  html: ['lang'],
  head: [],
  meta: ['charset', 'http-equiv', 'content', 'name'],
  title: [],
  style: [],
  body: [],
  main: ['class'],
  div: ['class', 'aria-hidden'],
  header: [],
  footer: [],
  section: ['class'],
  h1: [],
  h2: [],
  h3: ['class'],
  p: ['class'],
  span: ['class', 'lang'],
  strong: [],
  br: [],
  dl: ['class'],
  dt: [],
  dd: [],
  table: ['class'],
  caption: [],
  thead: [],
  tbody: [],
  tr: ['class'],
  th: ['scope', 'class'],
  td: ['class'],
  figure: [],
  figcaption: [],
  img: ['alt', 'src', 'class'],
  ul: ['class'],
  li: [],
  code: [],
  a: ['href', 'rel', 'target'],
}

/** Describes markup that the templates did not write. Finds tags as a browser does, by their angle brackets. */
const foreignMarkup = (html: string): readonly string[] => {
  const withoutStyle = html.replace(/<style>[^]*?<\/style>/, '').replace('<!doctype html>', '')
  return [...withoutStyle.matchAll(/<(\/?)([a-z0-9!?-]*)([^>]*)>?/gi)].flatMap(
    ([whole, close, name = '', rest = '']) => {
      const attributes = allowed[name.toLowerCase()]
      if (attributes === undefined || !whole.endsWith('>')) return [`foreign tag ${whole.slice(0, 80)}`]
      if (close === '/') return []
      const left = rest.replaceAll(/\s+([a-z-]+)="([^"<>]*)"/g, (found, attribute: string, value: string) =>
        attributes.includes(attribute) && isHarmless(attribute, value) ? '' : found,
      )
      return left === '' ? [] : [`foreign attribute ${left.slice(0, 80)} of ${name}`]
    },
  )
}

const isHarmless = (attribute: string, value: string): boolean =>
  attribute === 'src'
    ? /^data:image\/(png|jpeg|svg\+xml);base64,[A-Za-z0-9+/=]*$/.test(value)
    : attribute === 'href'
      ? /^https?:\/\//.test(value)
      : true

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  '<!--',
  ']]><svg onload=alert(1)>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '\u0000<\u0001iframe srcdoc=x>',
  '<a href="data:text/html,x">',
]

/** Replaces every text of the certificate with the attack. */
const poisoned = (value: JsonValue, attack: string): JsonValue => {
  if (typeof value === 'string') return attack
  if (Array.isArray(value)) return value.map((one) => poisoned(one, attack))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      ['RefSchemaUrl', 'ResultType', 'CertificateLanguages', 'Languages'].includes(key)
        ? inner
        : poisoned(inner, attack),
    ]),
  )
}

const withoutNul = (text: string) => text.replaceAll('\u0000', '\u0002')

describe('the HTML page of a certificate', () => {
  for (const attack of attacks.map(withoutNul)) {
    test(`is inert with ${JSON.stringify(attack)} in every place`, async () => {
      const { json } = inventedCertificate({
        inspection: [
          {
            C00: 'H',
            ChemicalComposition: { C70: 'x', C71: { Symbol: 'C', Unit: '%', Actual: '1', Formula: 'f' } },
            TensileTest: { C10: 'x', C11: { Property: 'p', Value: 1, Unit: 'MPa' } },
            OtherMechanicalTests: {
              C50: { Key: 'k', Value: 'v', Method: 'm', Unit: 'u', Interpretation: 'i' },
            },
          },
        ],
        otherTests: { D01: 'x', NonDestructiveTests: { D02: { Key: 'k', Value: 'v', Method: 'm' } } },
      })
      const html = await render(certificateOf(poisoned({ ...json }, attack)))
      assert.deepEqual(foreignMarkup(html), [])
      assert.ok(
        pageText(html).includes(
          attack
            .replaceAll(/\p{Cc}/gu, '')
            .replaceAll(/\s+/g, ' ')
            .trim()
            .slice(0, 8),
        ),
      )
    })
  }

  test('is inert with an attack in every text of every published certificate', {
    skip: withoutRealCertificates,
  }, async () => {
    for (const real of realCertificates()) {
      const certificate = readCertificate(underOwnSchema(real))
      const attack = '"><img src=x onerror=alert(1)><script>'
      const html = await render(certificateOf(poisoned({ ...certificate.json }, attack)))
      assert.deepEqual(foreignMarkup(html), [], real.name)
    }
  })

  test('is inert with an attack in every text of the document model', () => {
    const attack = '"><img src=x onerror=alert(1)><script>'
    const text = [attack, attack]
    const document: DocumentModel = {
      modelVersion: 1,
      family: attack,
      languages: [attack, attack],
      title: text,
      standard: attack,
      number: attack,
      date: attack,
      logo: { type: 'image/png', base64: attack, alternative: text },
      parties: [{ role: text, code: attack, name: attack, lines: [{ label: text, value: attack }] }],
      sections: [
        {
          title: text,
          role: 'declaration',
          blocks: [
            { kind: 'fields', fields: [{ label: text, code: attack, value: attack, unit: attack }] },
            { kind: 'heading', text },
            { kind: 'paragraph', text },
            { kind: 'picture', picture: { missing: text }, caption: text },
            {
              kind: 'table',
              table: {
                caption: text,
                columns: [{ label: text, code: attack, unit: attack, align: 'start' }],
                rows: [{ cells: [attack] }],
              },
            },
          ],
        },
      ],
      files: [{ name: attack, type: attack, description: attack, base64: attack }],
      warnings: [],
    }
    const html = renderHtml(document, {
      ...options,
      mode: 'test',
      hash: attack,
      verifyUrl: attack,
      qrSvg: attack,
    })
    const found = foreignMarkup(html).filter((sentence) => !sentence.includes('src="data:image/png;base64,'))
    assert.deepEqual(found, [])
    assert.ok(!html.includes('<img src=x'))
  })

  test('is checked by a function that finds foreign markup', () => {
    assert.equal(foreignMarkup('<p>x</p><script>').length, 1)
    assert.equal(foreignMarkup('<p onclick="x">x</p>').length, 1)
    assert.equal(foreignMarkup('<img alt="" src="https://example.org/x.png">').length, 1)
    assert.equal(foreignMarkup('<a href="javascript:x">x</a>').length, 1)
    assert.equal(foreignMarkup('<p>x</p><p').length, 1)
  })

  test('loads nothing and forbids loading anything', async () => {
    const html = await render(inventedCertificate(), { qrSvg: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
    const addresses = [...html.matchAll(/\s(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
    assert.equal(addresses.length, 3)
    assert.ok(
      addresses.every((address) => address?.startsWith('data:') === true || address === options.verifyUrl),
    )
    assert.doesNotMatch(html, /url\(|@import/)
    assert.match(htmlPolicy({}), /default-src 'none'; img-src data:; style-src 'sha256-[^']+'; .*sandbox/)
    assert.doesNotMatch(htmlPolicy({}), /unsafe/)
  })

  test('links only to web addresses', async () => {
    const html = await render(inventedCertificate(), { verifyUrl: 'javascript:alert(1)' })
    assert.doesNotMatch(html, /<a |javascript:/)
  })

  test('shows characters that would reorder the text', async () => {
    const html = await render(inventedCertificate({ product: { B01: 'Bar \u202e51.0\u202c', B02: 'x' } }))
    assert.match(html, /Bar \[U\+202E\]51\.0\[U\+202C\]/)
  })

  test('has the same bytes for the same certificate', async () => {
    assert.equal(await render(inventedCertificate()), await render(inventedCertificate()))
  })

  test('is marked in test mode, by a watermark and in words', async () => {
    const html = await render(inventedCertificate(), { mode: 'test' })
    assert.match(html, /<div class="test" aria-hidden="true">TEST<\/div>/)
    assert.match(html, /does not describe real material.*beschreibt kein echtes Material/s)
    assert.doesNotMatch(await render(inventedCertificate()), /TEST<|real material/)
  })

  test('shows two languages side by side, each with its language tag', async () => {
    const html = await render(inventedCertificate())
    assert.match(html, /<html lang="en">/)
    assert.match(html, /Purchaser <span class="second" lang="de">Besteller<\/span>/)
  })

  test('pads numbers so that their decimal signs line up', async () => {
    const inspection = ['0.150', '0.1', '12'].map((actual, index) => ({
      C00: `H${index}`,
      ChemicalComposition: { C71: { Symbol: 'C', Actual: actual } },
    }))
    const html = await render(inventedCertificate({ inspection }))
    assert.match(html, /<td class="end">0\.150<\/td>/)
    assert.match(html, /<td class="end">0\.1\u2007\u2007<\/td>/)
    assert.match(html, /<td class="end">12\u2008\u2007\u2007\u2007<\/td>/)
  })

  test('splits a table that is too wide for paper and repeats the row names', async () => {
    const ChemicalComposition = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`C${index + 71}`, { Symbol: `E${index}`, Actual: '0.1234' }]),
    )
    const html = await render(inventedCertificate({ inspection: { C00: 'Heat-1', ChemicalComposition } }))
    assert.equal([...html.matchAll(/<td>Heat-1<\/td>/g)].length, 4)
    assert.equal([...html.matchAll(/<caption>/g)].length, 1)
    for (let index = 0; index < 40; index += 1) assert.match(html, new RegExp(`>E${index}<`))
  })
})
