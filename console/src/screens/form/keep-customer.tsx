import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useLanguage, useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { formQuery, languagesPointer } from './begin.ts'
import type { Draft } from './drafts.ts'
import { isList, textOf, valueAt } from './json.ts'
import type { Party } from './party.ts'
import { partiesIn } from './read-party.ts'

const plain = (text: string | undefined): string =>
  (text ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const isSame = (one: Omit<Party, 'emails'>, other: Omit<Party, 'emails'>): boolean =>
  plain(one.name) === plain(other.name) ||
  (plain(one.vatId) !== '' && plain(one.vatId) === plain(other.vatId))

/** The receivers of a certificate that are no customers yet, each once. */
const findUnknown = async (company: string, parties: readonly Party[]): Promise<readonly Party[]> => {
  const distinct = parties.filter((party, at) => parties.findIndex((each) => isSame(each, party)) === at)
  const isKnown = async (party: Party): Promise<boolean> => {
    const texts = [party.name, party.vatId].filter((text) => plain(text) !== '')
    const found = await Promise.all(
      texts.map((text) => api.listCustomers({ company, query: { text: text?.slice(0, 200), limit: 100 } })),
    )
    return found.flat().some((customer) => isSame(customer, party))
  }
  const known = await Promise.all(distinct.map(isKnown))
  return distinct.filter((_, at) => known[at] !== true)
}

const languageOf = (certificate: Draft['certificate']): string | undefined => {
  const languages = valueAt(certificate, languagesPointer(certificate) ?? '/')
  const first = isList(languages) ? textOf(languages[0]).toLowerCase() : ''
  if (first === 'cn') return 'zh'
  return /^[a-z]{2}$/.test(first) ? first : undefined
}

/** Offers to keep the receivers of a certificate that are no customers yet. */
export const KeepCustomers = ({ draft }: { readonly draft: Draft }) => {
  const { company, family, version, certificate } = draft
  const { may } = useHere()
  const language = useLanguage()
  const { data: form } = useQuery(formQuery(family, version, language))
  const { data: unknown = [] } = useQuery({
    queryKey: ['form-receivers', draft.id],
    queryFn: () => findUnknown(company, partiesIn(certificate, form?.parties ?? [])),
    enabled: form !== undefined && may('createCustomer'),
    staleTime: Infinity,
  })
  return unknown.map((party) => (
    <Keep key={party.name} party={party} company={company} language={languageOf(certificate)} />
  ))
}

const Keep = ({
  party: { name, vatId, emails, address },
  company,
  language,
}: {
  readonly party: Party
  readonly company: string
  readonly language: string | undefined
}) => {
  const t = useTexts('customers')
  const queries = useQueryClient()
  const keep = useMutation({
    mutationFn: () =>
      api.createCustomer({ company, body: { name, vatId, emails: [...emails], address, language } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['customers', company] }),
  })
  if (keep.isSuccess) return <p role="status">{t.kept(name)}</p>
  return (
    <>
      {keep.isError && <Problem error={keep.error} title={t.notSaved} />}
      <div className="row">
        <Button isPending={keep.isPending} onPress={() => keep.mutate()}>
          {t.keep(name)}
        </Button>
      </div>
    </>
  )
}
