import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { consoleOfFile } from '../../../test/console.ts'
import { certificateText, heading, openMill } from '../../../test/console-mill.ts'

const { console, skip } = consoleOfFile()

const foreignPdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n')
const photo = Buffer.from('FFD8FFE000104A46494600010100000100010000', 'hex')
const unknown = certificateText({ number: 'U-1' }).replace(
  /"RefSchemaUrl":"[^"]+"/,
  '"RefSchemaUrl":"https://example.com/plastic-schemas/v9.0.0/schema.json"',
)

describe('files dropped on New that are no JSON of a known schema', { skip }, () => {
  for (const [locale, title, sentences, valid] of [
    [
      'en-GB',
      'New certificate',
      [
        /^This is a PDF.*or fill in the form/,
        /^This is a picture.*fill in the form/,
        /^This service does not know/,
      ],
      'Valid',
    ],
    [
      'de-DE',
      'Neues Zeugnis',
      [/^Das ist ein PDF.*Formular aus/, /^Das ist ein Bild.*Formular aus/, /^Dieser Dienst kennt diese Art/],
      'Gültig',
    ],
  ] as const)
    test(`each say the next step in one language, and a PDF of Millseal brings its data, ${locale}`, async () => {
      const name = `drops-${locale.toLowerCase()}`
      const { notarize, client, company } = await openMill(console.server, name)
      const id = await notarize({ number: `P-${locale}` })
      const own = await client.readCertificatePdf({ company: company.id, params: { id } })
      const page = await console.open({ locale })
      await console.signIn(page, { username: name }, '/new')
      await heading(page, title).waitFor()
      await page.locator('input[type=file]').setInputFiles([
        { name: 'foreign.pdf', mimeType: 'application/pdf', buffer: foreignPdf },
        { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo },
        { name: 'unknown.json', mimeType: 'application/json', buffer: Buffer.from(unknown) },
        { name: 'own.pdf', mimeType: 'application/pdf', buffer: Buffer.from(await own.arrayBuffer()) },
      ])
      for (const sentence of sentences) await page.getByText(sentence).waitFor()
      const row = page.getByRole('table').getByRole('row').filter({ hasText: 'own.pdf' })
      await row.getByText(valid, { exact: true }).waitFor()
      await row.getByRole('cell').first().getByText(`P-${locale}`, { exact: true }).waitFor()
      const said = (await page.getByRole('table').textContent()) ?? ''
      assert.doesNotMatch(said, /UTF-8|RefSchemaUrl|GET \//)
      console.assertNoErrors(/404/)
    })
})
