-- Deliveries of webhooks are found by what their event is about: the number of a certificate, or the name of another record.
alter table outbox add column about_name text;
comment on column outbox.about_name is 'What people call the record that the event is about, if it has a number or a name';
alter table hook_events add column about_name text;
comment on column hook_events.about_name is 'That of the event: here, the index has the company too';

update hook_events e set about_name = left(c.summary::json ->> 'identifier', 200)
from outbox o
join certificates c on c.id = o.about_id
where o.id = e.event_id;

alter function mail_query rename to company_query;
create function company_words(company uuid, words text) returns tsvector language sql immutable strict parallel safe as $$
  select array_to_tsvector(array(
    select company || '/' || word
    from regexp_split_to_table(lower(words), '[^[:alnum:]]+') as word
    where word <> ''
  ))
$$;
drop index mails_words;
create index mails_words on mails using gin (company_words(company_id, recipient || ' ' || subject));
drop function mail_words;

create index hook_events_words on hook_events using gin (company_words(company_id, about_name)) where about_name is not null;
create index hook_events_kind on hook_events (hook_id, resource, action, id);
drop index hook_events_failed;
create index hook_events_open on hook_events (hook_id, id) where not delivered;
