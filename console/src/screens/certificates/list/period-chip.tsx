import { useState } from 'react'
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import type { ListSearch, Narrow } from './list-search.ts'

const presets = [7, 30, 90, 365] as const

/** A day of the reader, some days before today. */
const dayBefore = (days: number): string => {
  const day = new Date()
  day.setDate(day.getDate() - days)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

type Props = { readonly search: ListSearch; readonly onChange: Narrow }

export const PeriodChip = ({ search, onChange }: Props) => {
  const t = useTexts('certificates')
  const words = usePeriodWords()(search)
  return (
    <DialogTrigger>
      <AriaButton
        className={words === undefined ? 'chip' : 'chip on'}
        aria-label={`${t.filterDate}: ${words ?? t.anyDate}`}
      >
        {words ?? t.anyDate} <span aria-hidden="true">▾</span>
      </AriaButton>
      <Popover className="popover">
        <Dialog className="period" aria-label={t.filterDate}>
          {({ close }) => (
            <Period
              search={search}
              onChange={(period) => {
                onChange(period)
                close()
              }}
            />
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

const usePeriodWords = (): ((search: ListSearch) => string | undefined) => {
  const t = useTexts('certificates')
  const { date } = useFormats()
  return ({ from, to }) => {
    const preset = presets.find((days) => to === undefined && from === dayBefore(days))
    if (preset !== undefined) return t.days(preset)
    const [first, last] = [from, to].map((day) => (day === undefined ? undefined : date(`${day}T00:00`)))
    if (first !== undefined && last !== undefined) return t.between(first, last)
    if (first !== undefined) return t.since(first)
    return last === undefined ? undefined : t.until(last)
  }
}

const Period = ({ search, onChange }: Props) => {
  const t = useTexts('certificates')
  const [from, setFrom] = useState(search.from ?? '')
  const [to, setTo] = useState(search.to ?? '')
  const orNothing = (day: string) => (day === '' ? undefined : day)
  return (
    <>
      <div className="chips">
        {presets.map((days) => (
          <Button key={days} kind="quiet" onPress={() => onChange({ from: dayBefore(days), to: undefined })}>
            {t.days(days)}
          </Button>
        ))}
        <Button kind="quiet" onPress={() => onChange({ from: undefined, to: undefined })}>
          {t.anyDate}
        </Button>
      </div>
      <div className="pair">
        <TextField label={t.from} type="date" value={from} onChange={setFrom} />
        <TextField label={t.to} type="date" value={to} onChange={setTo} />
      </div>
      <div className="row">
        <Button kind="primary" onPress={() => onChange({ from: orNothing(from), to: orNothing(to) })}>
          {t.apply}
        </Button>
      </div>
    </>
  )
}
