import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fullCertificates } from '@millseal/families/testing'
import { type Clerk, newClerk } from '../../../test/console-form.ts'
import { consoleOfFile } from '../../../test/console.ts'

const { console, skip } = consoleOfFile()

/** The names of everything in the form that takes a key or a click, with its place, as a screen reader says them. */
const namesOnPage = `(() => {
  const text = (node) => node?.textContent?.trim() ?? ''
  const nameOf = (node) =>
    node.getAttribute('aria-label') ||
    (node.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => text(document.getElementById(id))).join(' ').trim() ||
    [...(node.labels ?? [])].map(text).join(' ') ||
    text(node)
  const shown = [...document.querySelectorAll('.form input:not([type=file], [hidden]), .form textarea, .form button, .form h2, .form h3, .form th')]
  return shown
    .filter((node) => !node.closest('.form-side, [aria-hidden=true]'))
    .map((node) => nameOf(node) + ' @ ' + (node.closest('[data-pointer]')?.dataset.pointer ?? ''))
})()`

/** The words that German has, too, values of the certificate, and what is no word. */
const alike =
  /^(?:[A-Z]\d\d(?:\.\d)?|Name|D-U-N-S|(?:Plate |Tube )?Form|Format|Minimum|Maximum|Median|Logo|Fax|Incoterms|Container|TARIC \(EU\)|EORI|MID|CNPJ|RUT|CBN|JSON|PDF|Version|System|Region|Element|Symbol|Parameter|Status|⟦\d+⟧×?|EN|DE|English|Deutsch|×|\+|[\d\s,:;.@]+)$/

const openFull = async (clerk: Clerk, locale: string, full: ReturnType<typeof fullCertificates>[number]) => {
  const { id: owner } = await console.server.client(clerk.accessToken).readMe()
  const page = await console.open({ locale })
  await console.signIn(page, clerk, '/new/form')
  const { json: certificate, ...kind } = full
  const id = '01890000-0000-7000-8000-000000000000'
  const draft = { ...kind, id, owner, company: clerk.company, savedAt: '', title: '', certificate, added: {} }
  await page.evaluate(
    `localStorage.setItem('millseal.draft.${id}', ${JSON.stringify(JSON.stringify(draft))})`,
  )
  await page.goto(`${console.server.url}/console/new/form?draft=${id}`)
  // The first check opens what it complains about.
  await page.locator('.form [role=status][aria-busy=false]').waitFor()
  const names = (await page.evaluate(namesOnPage)) as readonly string[]
  await page.context().close()
  return names
}

describe('a form with every field of its kind', { skip }, () => {
  for (const full of fullCertificates())
    test(`${full.family} names each field and button in both languages, and differently`, async () => {
      const clerk = await newClerk(console, `every-${full.family}`)
      const english = await openFull(clerk, 'en-GB', full)
      const german = await openFull(clerk, 'de-DE', full)
      assert.ok(english.length > 40, `${english.length} fields`)
      assert.equal(german.length, english.length)
      for (const name of [...english, ...german]) {
        const [words = ''] = name.split(' @ ')
        assert.match(words, /[\p{L}\d×+]/u, name)
        assert.doesNotMatch(words, /:\s*$|undefined/, name)
      }
      const same = english.filter((name, at) => german[at] === name).map((name) => name.split(' @ ')[0] ?? '')
      const untranslated = same.filter((name) => !name.split(', ').every((word) => alike.test(word)))
      assert.deepEqual([...new Set(untranslated)], [])
      console.assertNoErrors()
    })
})
