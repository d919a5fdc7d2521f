import type { Mfa } from '@millseal/contract'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Card } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { Enrolment } from './enrolment.tsx'
import { mfaQuery } from './me-queries.ts'

const useRefresh = () => {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: mfaQuery.queryKey }),
      queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ])
}

export const SecondFactor = () => {
  const t = useTexts('me').mfa
  const refresh = useRefresh()
  const { data: mfa } = useSuspenseQuery(mfaQuery)
  const [isAdding, setAdding] = useState(false)
  const [code, setCode] = useState<string>()
  const finish = async (recoveryCode: string | undefined) => {
    setAdding(false)
    setCode(recoveryCode)
    await refresh()
  }
  return (
    <Card
      title={t.title}
      actions={<State kind={mfa.enabled ? 'good' : 'gone'}>{mfa.enabled ? t.on : t.off}</State>}
    >
      <p className="muted">{t.why}</p>
      {code !== undefined && <RecoveryCode code={code} onKept={() => setCode(undefined)} />}
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
      {mfa.enabled && code === undefined && <Recovery isKept={mfa.recoveryCode} onCode={setCode} />}
    </Card>
  )
}

const RecoveryCode = ({ code, onKept }: { readonly code: string; readonly onKept: () => void }) => {
  const t = useTexts('me').mfa
  return (
    <div className="notice warn" role="status">
      <p>
        <strong>{t.yourCode}</strong>
      </p>
      <p className="once">
        <Copyable text={code} label={t.yourCode} />
      </p>
      <p>{t.keep}</p>
      <div className="row">
        <Button kind="primary" onPress={onKept}>
          {t.kept}
        </Button>
      </div>
    </div>
  )
}

type Device = Mfa['authenticators'][number]

const Devices = ({ mfa }: { readonly mfa: Mfa }) => (
  <ul className="lines">
    {mfa.authenticators.map((device) => (
      <DeviceLine
        key={device.id}
        device={device}
        isLast={device.confirmed && mfa.authenticators.filter(({ confirmed }) => confirmed).length === 1}
      />
    ))}
  </ul>
)

const DeviceLine = ({ device, isLast }: { readonly device: Device; readonly isLast: boolean }) => {
  const t = useTexts('me').mfa
  const { relative } = useFormats()
  const refresh = useRefresh()
  const { id, name, confirmed, lastUsedAt } = device
  const remove = async () => {
    await api.deleteTotp({ params: { id } })
    await refresh()
  }
  return (
    <li className="row">
      <span>
        <b>{name}</b>{' '}
        <span className="muted">
          {!confirmed
            ? t.unconfirmed
            : lastUsedAt === undefined
              ? t.neverUsed
              : t.lastUsed(relative(lastUsedAt))}
        </span>
      </span>
      <span className="end">
        <Confirm
          trigger={
            <Button kind="quiet" aria-label={t.removeTitle(name)}>
              {t.remove}
            </Button>
          }
          title={t.removeTitle(name)}
          consequence={isLast ? t.removeLast : t.removeOne}
          action={t.remove}
          onConfirm={remove}
        />
      </span>
    </li>
  )
}

type RecoveryProps = { readonly isKept: boolean; readonly onCode: (code: string) => void }

const Recovery = ({ isKept, onCode }: RecoveryProps) => {
  const t = useTexts('me').mfa
  const refresh = useRefresh()
  const replace = async () => {
    const { recoveryCode } = await api.regenerateRecoveryCode()
    onCode(recoveryCode)
    await refresh()
  }
  return (
    <>
      <h2>{t.recovery}</h2>
      <p>{isKept ? t.recoveryKept : t.recoveryMissing}</p>
      <div className="row">
        <Confirm
          trigger={<Button>{t.newCode}</Button>}
          title={t.newCode}
          consequence={t.newCodeConsequence}
          action={t.newCode}
          onConfirm={replace}
        />
      </div>
    </>
  )
}
