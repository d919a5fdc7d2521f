import { type ReactNode, useState } from 'react'
import { useTexts } from '../../../texts/catalog.ts'
import { AcceptFindings } from '../../../ui/accept-findings.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Entry } from './entry.ts'

export type Doubtful = {
  /** The checked certificates that say what does not fit together. */
  readonly doubtful: readonly Entry[]
  readonly onAccept: (accepted: readonly Entry[]) => Promise<unknown>
}

/** Accepts the certificates that were there when the dialog was opened: others may follow while somebody reads. */
export const NotarizeDoubtful = ({
  doubtful,
  label,
  onAccept,
  isDisabled = false,
}: Doubtful & { readonly label?: ReactNode; readonly isDisabled?: boolean }) => {
  const t = useTexts('files')
  const [asked, setAsked] = useState(doubtful)
  return (
    <AcceptFindings
      trigger={
        <Button className="amber" isDisabled={isDisabled} onPress={() => setAsked(doubtful)}>
          {label ?? t.notarizeDoubtful(doubtful.length)}
        </Button>
      }
      certificates={asked.map(({ name, number, doubts = [] }) => ({
        name: number ?? name,
        findings: doubts,
      }))}
      onConfirm={() => onAccept(asked)}
    />
  )
}
