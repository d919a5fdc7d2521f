import type { Customer } from '@millseal/contract'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Finder } from '../../ui/list/finder.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { pagesOf } from '../../ui/list/pages.ts'
import { Remove } from '../../ui/list/remove.tsx'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'
import { Problem } from '../../ui/problem.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Empty, Screen as Frame } from '../../ui/screen.tsx'
import { CustomerForm } from './customer-form.tsx'
import type { CustomersSearch } from './customers-search.ts'

const customersQuery = (company: string, text: string | undefined) =>
  pagesOf(['customers', company, 'list', text], ({ after, ...call }) =>
    api.listCustomers({ company, query: { limit: 50, ...after, text }, ...call }),
  )

export const Screen = () => {
  const t = useTexts('customers')
  const { company } = useHere()
  const { text }: CustomersSearch = useSearch({ strict: false })
  const narrow = useNarrowing<CustomersSearch>()
  const list = useInfiniteQuery({
    ...customersQuery(company, text),
    placeholderData: (previous) => previous,
  })
  const isNarrowed = text !== undefined
  const reset = () => narrow({ text: undefined })
  const found = useFound(list)
  const isUnused = !isNarrowed && list.data?.pages[0]?.rows.length === 0
  return (
    <Frame
      title={t.title}
      actions={
        <>
          {!isUnused && <Export />}
          <Add />
        </>
      }
    >
      <p className="muted">{t.intro}</p>
      {!isUnused && (
        <Finder label={t.search} found={found} isNarrowed={isNarrowed} onReset={reset}>
          <SearchInput
            label={t.search}
            hint={t.searchHint}
            value={text ?? ''}
            onChange={(next) => narrow({ text: next })}
          />
        </Finder>
      )}
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed={isNarrowed} onReset={reset}>
            <Empty title={t.none}>
              <p>{t.noneText}</p>
            </Empty>
          </Nothing>
        }
      >
        {(customers) => <List customers={customers} />}
      </Rows>
    </Frame>
  )
}

const Add = () => {
  const t = useTexts('customers')
  const { may } = useHere()
  if (!may('createCustomer')) return null
  return (
    <Dialog title={t.add} trigger={<Button kind="primary">{t.add}</Button>}>
      {(close) => <CustomerForm customer={undefined} close={close} />}
    </Dialog>
  )
}

const Export = () => {
  const t = useTexts('customers')
  const { company } = useHere()
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'json') =>
      saveFile(`${t.title}.${format}`, await api.exportCustomers({ company, query: { format } })),
  })
  return (
    <span className="row">
      {save.isError && <Problem error={save.error} title={t.notExported} />}
      {(['csv', 'json'] as const).map((format) => (
        <Button
          key={format}
          isPending={save.isPending && save.variables === format}
          onPress={() => save.mutate(format)}
        >
          {t.exportAs(format.toUpperCase())}
        </Button>
      ))}
    </span>
  )
}

const List = ({ customers }: { readonly customers: readonly Customer[] }) => {
  const t = useTexts('customers')
  return (
    <Table
      label={t.title}
      columns={[t.name, t.vatId, t.address, t.emails, t.actions]}
      lines={customers.map((customer) => ({
        id: customer.id,
        cells: [
          <b>{customer.name}</b>,
          customer.vatId ?? '–',
          lineOf(customer) || '–',
          <span className="breakable">{customer.emails.join(', ') || '–'}</span>,
          <Actions customer={customer} />,
        ],
      }))}
    />
  )
}

const lineOf = ({ address: { street, zipCode, city, country } }: Customer): string =>
  [street, [zipCode, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ')

const Actions = ({ customer }: { readonly customer: Customer }) => {
  const t = useTexts('customers')
  const { company, may } = useHere()
  const { id, name } = customer
  return (
    <span className="row">
      {may('updateCustomer') && (
        <Dialog title={t.changeOf(name)} trigger={<Button aria-label={t.changeOf(name)}>{t.change}</Button>}>
          {(close) => <CustomerForm customer={customer} close={close} />}
        </Dialog>
      )}
      {may('deleteCustomer') && (
        <Remove
          words={t}
          name={name}
          list="customers"
          remove={() => api.deleteCustomer({ company, params: { id } })}
        />
      )}
    </span>
  )
}
