import { useLanguage, useTexts } from '../../texts/catalog.ts'
import { localeOf } from '../../texts/format.ts'
import { languagesPointer } from './begin.ts'
import { schemasAtPointer, useForm } from './form-context.ts'
import { isList, type Json } from './json.ts'
import { shapeOf } from './schema.ts'
import { useValue } from './store.ts'

/** The languages of the paper: one, or two side by side. */
export const Languages = ({ certificate }: { readonly certificate: Json }) => {
  const { store, root } = useForm()
  const t = useTexts('form')
  const locale = localeOf(useLanguage())
  const pointer = languagesPointer(certificate) ?? ''
  const value = useValue(store, pointer)
  const shape = shapeOf(root, schemasAtPointer(root, store.at, pointer), value)
  if (pointer === '' || shape.kind !== 'list') return null
  const inner = shapeOf(root, shape.items)
  const chosen = isList(value) ? value.map(String) : []
  const names = new Intl.DisplayNames([locale], { type: 'language' })
  const options = (inner.kind === 'choice' ? inner.values.map(String) : ['EN', 'DE']).filter(
    (each) => each !== 'CN' || chosen.includes('CN'),
  )
  const toggle = (language: string): void => {
    const without = chosen.filter((each) => each !== language)
    const next =
      without.length < chosen.length ? without : [...chosen.slice(0, Math.min(shape.max, 2) - 1), language]
    if (next.length > 0) store.set(pointer, next)
  }
  return (
    <div className="chips" role="group" aria-label={t.languages}>
      <span className="form-label">{t.languages}</span>
      {options.map((language) => (
        <button
          key={language}
          type="button"
          className="chip"
          aria-pressed={chosen.includes(language)}
          onClick={() => toggle(language)}
        >
          {names.of(language === 'CN' ? 'zh' : language.toLowerCase())}
        </button>
      ))}
    </div>
  )
}
