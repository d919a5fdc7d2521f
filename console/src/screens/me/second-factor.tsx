import type { Mfa } from '@millseal/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { Enrolment } from './enrolment.tsx'
import { FactorLine, isOnlyFactor } from './factor-line.tsx'
import { mfaQuery, useFactorRefresh } from './me-queries.ts'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes, ShownCodes } from './recovery-codes.tsx'

export const SecondFactor = () => {
  const t = useTexts('me').mfa
  const refresh = useFactorRefresh()
  const { data: mfa } = useSuspenseQuery(mfaQuery)
  const [isAdding, setAdding] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  const finish = async (recoveryCodes: readonly string[] | undefined) => {
    setAdding(false)
    setCodes(recoveryCodes)
    await refresh()
  }
  return (
    <Card
      title={t.title}
      actions={<State kind={mfa.enabled ? 'good' : 'gone'}>{mfa.enabled ? t.on : t.off}</State>}
    >
      <p className="muted">{t.why}</p>
      {codes !== undefined && <ShownCodes codes={codes} onKept={() => setCodes(undefined)} />}
      <Devices mfa={mfa} />
      {isAdding ? (
        <Enrolment onDone={finish} onCancel={() => setAdding(false)} />
      ) : (
        <div className="row">
          <Button kind={mfa.enabled ? 'plain' : 'primary'} onPress={() => setAdding(true)}>
            {mfa.enabled ? t.addAnother : t.add}
          </Button>
        </div>
      )}
      <Passkeys onDone={finish} />
      {mfa.enabled && codes === undefined && <RecoveryCodes left={mfa.recoveryCodes} onCodes={setCodes} />}
    </Card>
  )
}

type Device = Mfa['authenticators'][number]

const Devices = ({ mfa }: { readonly mfa: Mfa }) => (
  <ul className="lines">
    {mfa.authenticators.map((device) => (
      <DeviceLine key={device.id} device={device} isLast={device.confirmed && isOnlyFactor(mfa)} />
    ))}
  </ul>
)

const DeviceLine = ({ device, isLast }: { readonly device: Device; readonly isLast: boolean }) => {
  const t = useTexts('me').mfa
  const { relative } = useFormats()
  const [code, setCode] = useState('')
  const { id, name, confirmed, lastUsedAt } = device
  const used = lastUsedAt === undefined ? t.neverUsed : t.lastUsed(relative(lastUsedAt))
  return (
    <FactorLine
      name={name}
      detail={confirmed ? used : t.unconfirmed}
      consequence={isLast ? t.removeLast : t.removeOne}
      isReady={!confirmed || code.trim().length >= 6}
      onRemove={() => api.deleteTotp({ params: { id }, body: confirmed ? { code: code.trim() } : {} })}
    >
      {confirmed && (
        <TextField
          label={t.removeCode}
          hint={t.removeCodeRule}
          value={code}
          onChange={setCode}
          autoComplete="one-time-code"
          maxLength={40}
          autoFocus
        />
      )}
    </FactorLine>
  )
}
