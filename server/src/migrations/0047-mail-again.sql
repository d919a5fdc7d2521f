alter table company_mails add column again int not null default 0;
comment on column company_mails.again is 'Zero for the first mail; one more each time somebody sends it again';
alter table company_mails drop constraint company_mails_company_id_kind_about_address_key;
alter table company_mails add unique (company_id, kind, about, address, again);
