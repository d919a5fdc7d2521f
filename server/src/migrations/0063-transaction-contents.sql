-- Lists say what each transaction recorded, and find those about one certificate or key.
alter table transactions add column kind text not null default 'other' check (
  kind in ('certificate', 'identity', 'review', 'withdrawal', 'replacement', 'revocation', 'other')
);
alter table transactions add column subject text;

update transactions t set kind = 'certificate', subject = c.hash
from certificates c
where c.company_id = t.company_id and c.mode = t.mode and c.transaction_id = t.ledger_id;

update transactions t set kind = 'identity', subject = i.did
from identities i
where i.publication_id = t.id;

update transactions t
set kind = case k.action when 'withdraw' then 'withdrawal' else 'replacement' end, subject = c.transaction_id
from certificate_corrections k
join certificates c on c.id = k.certificate_id
where c.company_id = t.company_id and c.mode = t.mode and k.transaction_id = t.ledger_id;

update transactions t set kind = 'revocation', subject = i.did
from key_revocations r
join identities i on i.id = r.identity_id
where i.company_id = t.company_id and i.mode = t.mode and r.transaction_id = t.ledger_id;

alter table transactions alter column kind drop default;
comment on column transactions.subject is 'The hash of the JSON of a certificate, a DID, or the transaction that this one corrects';

create index transactions_subject_idx on transactions (company_id, mode, subject, id) where subject is not null;
create index transactions_rare_idx on transactions (company_id, mode, kind, id) where kind <> 'certificate';
