import type { Totp } from '@millseal/contract'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Copyable } from '../../ui/copy.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'

type Props = {
  /** Gets the recovery codes if this is the first factor. */
  readonly onDone: (recoveryCodes: readonly string[] | undefined) => Promise<void>
  readonly onCancel: () => void
}

/** Adds an authenticator: its name, the code to scan, then the digits that prove it. */
export const Enrolment = ({ onDone, onCancel }: Props) => {
  const [made, setMade] = useState<Totp>()
  return made === undefined ? (
    <Naming onMade={setMade} onCancel={onCancel} />
  ) : (
    <Scanning totp={made} onDone={onDone} onCancel={onCancel} />
  )
}

const Naming = ({
  onMade,
  onCancel,
}: {
  readonly onMade: (totp: Totp) => void
  readonly onCancel: () => void
}) => {
  const t = useTexts('me').mfa
  const [name, setName] = useState(t.defaultName)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  // The answer contains the secret, so it does not go through the cache of mutations.
  const make = async () => {
    setBusy(true)
    setError(undefined)
    try {
      onMade(await api.createTotp({ body: { name: name.trim() } }))
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }
  return (
    <Form
      action={t.start}
      isPending={isBusy}
      isDisabled={name.trim() === ''}
      onSubmit={() => void make()}
      onCancel={onCancel}
    >
      <TextField label={t.name} value={name} onChange={setName} maxLength={64} autoFocus />
      {error !== undefined && <Problem error={error} title={t.failed} onRetry={() => void make()} />}
    </Form>
  )
}

const Scanning = ({ totp, onDone, onCancel }: Props & { readonly totp: Totp }) => {
  const t = useTexts('me').mfa
  const [code, setCode] = useState('')
  const digits = code.replaceAll(/\s/g, '')
  const confirm = useMutation({
    gcTime: 0,
    mutationFn: () => api.confirmTotp({ params: { id: totp.id }, body: { code: digits } }),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <Form
      action={t.confirm}
      isPending={confirm.isPending}
      isDisabled={!/^\d{6}$/.test(digits)}
      onSubmit={() => confirm.mutate()}
      onCancel={onCancel}
    >
      <p>{t.scan}</p>
      <Picture svg={totp.qrSvg} label={t.qr} />
      <div>
        <span className="muted">{t.secret}</span>
        <br />
        <Copyable text={totp.secret} label={t.secret} />
      </div>
      <TextField
        label={t.code}
        value={code}
        onChange={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        hint={t.codeRule}
        autoFocus
      />
      {confirm.error !== null && <Problem error={confirm.error} title={t.failed} />}
    </Form>
  )
}

/** The policy of the page allows pictures from memory, but no markup. */
const Picture = ({ svg, label }: { readonly svg: string; readonly label: string }) => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [svg])
  return url === undefined ? null : <img className="qr" src={url} alt={label} width={220} height={220} />
}
