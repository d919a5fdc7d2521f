alter table company_mails add column is_saved boolean not null default false;
comment on column company_mails.is_saved is 'Written to a file instead of sent, because the service had no mail server';
