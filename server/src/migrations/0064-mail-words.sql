-- Mails are found by words of their receiver and subject. A word has its company before it, so that those of others cost nothing.
create function mail_words(company uuid, recipient text, subject text) returns tsvector language sql immutable strict parallel safe as $$
  select array_to_tsvector(array(
    select company || '/' || word
    from regexp_split_to_table(lower(recipient || ' ' || subject), '[^[:alnum:]]+') as word
    where word <> ''
  ))
$$;

create function mail_query(company uuid, words text) returns tsquery language sql immutable strict parallel safe as $$
  select string_agg(quote_literal(company || '/' || word) || ':*', ' & ')::tsquery
  from regexp_split_to_table(lower(words), '[^[:alnum:]]+') as word
  where word <> ''
$$;

create index mails_words on mails using gin (mail_words(company_id, recipient, subject));
create index mails_open on mails (company_id, id) where not delivered;
