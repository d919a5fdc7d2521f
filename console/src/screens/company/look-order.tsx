import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { type Draft, type Family, move, orderOf, type SectionName } from './look-draft.ts'

type Props = {
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  readonly family: Family
}

/** The sections of the family of the preview, with buttons that move them. */
export const Order = ({ draft, onChange, family }: Props) => {
  const t = useTexts('company').looks
  const order = orderOf(family, draft.sections)
  const arrow = (name: SectionName, by: -1 | 1, isDisabled: boolean) => (
    <Button
      kind="quiet"
      aria-label={by === -1 ? t.up(t.sectionNames[name]) : t.down(t.sectionNames[name])}
      isDisabled={isDisabled}
      onPress={() => onChange(move(draft, { family, name, by }))}
    >
      {by === -1 ? '↑' : '↓'}
    </Button>
  )
  return (
    <>
      <p className="muted">
        {t.families[family]}. {t.sectionsFixed}
      </p>
      <ol className="order">
        {order.map((name, index) => (
          <li key={name}>
            {t.sectionNames[name]}
            <span>
              {arrow(name, -1, index === 0)}
              {arrow(name, 1, index === order.length - 1)}
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
