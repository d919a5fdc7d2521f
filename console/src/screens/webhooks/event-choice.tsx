import type { Hook } from '@millseal/contract'
import { useTexts } from '../../texts/catalog.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Card } from '../../ui/screen.tsx'
import { chosenIn, eventNames, type EventName, othersIn, scopesOf } from './scopes.ts'

type Scopes = Hook['scopes']

/** The events in words. Those that only a program can choose are listed and stay. */
export const EventChoice = ({
  scopes,
  onChange,
}: {
  readonly scopes: Scopes
  readonly onChange: (scopes: Scopes) => void
}) => {
  const t = useTexts('webhooks')
  const chosen = chosenIn(scopes)
  const others = othersIn(scopes)
  const toggle = (name: EventName, isChosen: boolean) => {
    const next = isChosen ? [...chosen, name] : chosen.filter((each) => each !== name)
    onChange(scopesOf([...next, ...others]))
  }
  return (
    <Card title={t.whichEvents}>
      {eventNames.map((name) => (
        <Checkbox
          key={name}
          isSelected={chosen.includes(name)}
          onChange={(isChosen) => toggle(name, isChosen)}
        >
          {t.events[name]}
        </Checkbox>
      ))}
      {others.length > 0 && (
        <p className="muted">
          {t.otherEvents}: {others.join(', ')}
        </p>
      )}
      {scopes.length === 0 && <p className="problem">{t.chooseOne}</p>}
    </Card>
  )
}
