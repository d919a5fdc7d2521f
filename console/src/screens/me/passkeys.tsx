import type { Mfa } from '@millseal/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { FactorLine, isOnlyFactor } from './factor-line.tsx'
import { mfaQuery } from './me-queries.ts'

type Props = {
  /** Gets the recovery codes if this is the first factor. */
  readonly onDone: (recoveryCodes: readonly string[] | undefined) => Promise<void>
}

/** True if this browser can create passkeys. */
const isPossible = (): boolean =>
  'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential

export const Passkeys = ({ onDone }: Props) => {
  const t = useTexts('me').passkeys
  const { data: mfa } = useSuspenseQuery(mfaQuery)
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <h2>{t.title}</h2>
      <p className="muted">{t.why}</p>
      <ul className="lines">
        {mfa.passkeys.map((passkey) => (
          <PasskeyLine key={passkey.id} passkey={passkey} mfa={mfa} />
        ))}
      </ul>
      {!isPossible() && <p>{t.impossible}</p>}
      {isAdding && (
        <NewPasskey
          onDone={async (codes) => {
            setAdding(false)
            await onDone(codes)
          }}
          onCancel={() => setAdding(false)}
        />
      )}
      {isPossible() && !isAdding && (
        <div className="row">
          <Button onPress={() => setAdding(true)}>{t.add}</Button>
        </div>
      )}
    </>
  )
}

/** Undefined if the person cancelled in the browser. */
const create = async (name: string) => {
  const { options } = await api.createPasskeyOptions()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options))
  const credential = await navigator.credentials.create({ publicKey }).catch(() => null)
  if (!(credential instanceof PublicKeyCredential)) return undefined
  return await api.createPasskey({ body: { name, response: JSON.stringify(credential.toJSON()) } })
}

const NewPasskey = ({ onDone, onCancel }: Props & { readonly onCancel: () => void }) => {
  const t = useTexts('me').passkeys
  const [name, setName] = useState(t.defaultName)
  const [state, setState] = useState<{ readonly isBusy?: true; readonly error?: unknown }>({})
  const [isCancelled, setCancelled] = useState(false)
  // The answer contains recovery codes, so it does not go through the cache of mutations.
  const add = async () => {
    setState({ isBusy: true })
    setCancelled(false)
    try {
      const created = await create(name.trim())
      setState({})
      if (created === undefined) setCancelled(true)
      else await onDone(created.recoveryCodes)
    } catch (error) {
      setState({ error })
    }
  }
  return (
    <Form
      action={t.create}
      isPending={state.isBusy === true}
      isDisabled={name.trim() === ''}
      onSubmit={() => void add()}
      onCancel={onCancel}
    >
      <TextField label={t.name} value={name} onChange={setName} maxLength={64} autoFocus />
      {isCancelled && <p role="alert">{t.cancelled}</p>}
      {state.error !== undefined && (
        <Problem error={state.error} title={t.failed} onRetry={() => void add()} />
      )}
    </Form>
  )
}

const PasskeyLine = ({ passkey, mfa }: { readonly passkey: Mfa['passkeys'][number]; readonly mfa: Mfa }) => {
  const t = useTexts('me').passkeys
  const mfaTexts = useTexts('me').mfa
  const { relative } = useFormats()
  const { id, name, createdAt, lastUsedAt, backedUp } = passkey
  return (
    <FactorLine
      name={name}
      detail={[
        t.created(relative(createdAt)),
        lastUsedAt === undefined ? mfaTexts.neverUsed : mfaTexts.lastUsed(relative(lastUsedAt)),
        backedUp ? t.backedUp : t.notBackedUp,
      ].join(', ')}
      consequence={isOnlyFactor(mfa) ? mfaTexts.removeLast : t.removeOne}
      onRemove={() => api.deletePasskey({ params: { id } })}
    />
  )
}
