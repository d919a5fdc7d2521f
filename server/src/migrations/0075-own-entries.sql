-- The seller that a certificate names may record it beside the entry of the company that was first.

alter table certificates add column own boolean not null default false;
comment on column certificates.own is 'Recorded although another company was first, because the certificate names this one as its seller';
-- Processes of the release before name the columns of certificates_one_notarization when they insert, so the first own entry drops it.
create unique index certificates_first_notarization on certificates (mode, hash) where state <> 'failed' and not own;
create unique index certificates_own_notarization on certificates (mode, hash, company_id) where state <> 'failed' and own;

drop index ledger_entries_json_hash;
create index ledger_entries_json_hash on ledger_entries (json_hash, mode, index) where json_hash is not null;
