alter table users add column language text check (language in ('en', 'de'));
comment on column users.language is 'Of mails to this person; null: that of the newest company, or English';
