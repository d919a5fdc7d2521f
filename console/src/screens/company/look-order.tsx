import type { CertificateFamily } from '@millseal/contract'
import { useLanguage, useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { type Draft, move, orderOf } from './look-draft.ts'

/** The sections of the family of the preview, with buttons that move them. */
export const Order = ({
  draft,
  onChange,
  family,
}: {
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  readonly family: CertificateFamily
}) => {
  const t = useTexts('company').looks
  const language = useLanguage()
  const order = orderOf(family, draft.sections)
  const arrow = ({ name, title }: (typeof order)[number], by: -1 | 1, isDisabled: boolean) => (
    <Button
      kind="quiet"
      aria-label={by === -1 ? t.up(title[language]) : t.down(title[language])}
      isDisabled={isDisabled}
      onPress={() => onChange(move(draft, { family, name, by }))}
    >
      {by === -1 ? '↑' : '↓'}
    </Button>
  )
  return (
    <>
      <p className="muted">
        {family.title[language]}. {t.sectionsFixed}
      </p>
      <ol className="order">
        {order.map((section, index) => (
          <li key={section.name}>
            {section.title[language]}
            <span>
              {arrow(section, -1, index === 0)}
              {arrow(section, 1, index === order.length - 1)}
            </span>
          </li>
        ))}
      </ol>
      {draft.sections.length > 0 && (
        <div className="row">
          <Button onPress={() => onChange({ ...draft, sections: [] })}>{t.usualOrder}</Button>
        </div>
      )}
    </>
  )
}
