//! Reading `#[local(class = "...")]` and `#[choice(name = "...")]`.

use syn::{Attribute, Error, Generics, LitStr};

/// The errors of one input, so that they are all reported at once.
#[derive(Default)]
pub(crate) struct Complaints(Option<Error>);

impl Complaints {
    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.0 {
            None => self.0 = Some(error),
            Some(first) => first.combine(error),
        }
    }

    pub(crate) fn finish(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

/// The value of `key` in the attributes `#[name(key = "...")]`, if there is one.
pub(crate) fn value(attributes: &[Attribute], name: &str, key: &str) -> syn::Result<Option<LitStr>> {
    let mut value = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        let syn::Meta::List(list) = &attribute.meta else {
            return Err(Error::new_spanned(attribute, format!("write #[{name}({key} = \"...\")]")));
        };
        if list.tokens.is_empty() {
            return Err(Error::new_spanned(attribute, format!("write #[{name}({key} = \"...\")]")));
        }
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident(key) {
                return Err(Error::new_spanned(
                    &meta.path,
                    format!("unknown key; #[{name}(...)] has only `{key} = \"...\"`"),
                ));
            }
            let given: LitStr = meta.value()?.parse()?;
            if value.is_some() {
                return Err(Error::new_spanned(&meta.path, format!("`{key}` is given twice")));
            }
            value = Some(given);
            Ok(())
        })?;
    }
    Ok(value)
}

/// Refuses `#[name(...)]` where it has no meaning.
pub(crate) fn refuse(attributes: &[Attribute], name: &str, goes_on: &str, complaints: &mut Complaints) {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        complaints.add(Error::new_spanned(attribute, format!("#[{name}(...)] goes on {goes_on}")));
    }
}

/// Refuses type, lifetime and const parameters.
pub(crate) fn refuse_generics(generics: &Generics, what: &str, complaints: &mut Complaints) {
    if !generics.params.is_empty() {
        complaints.add(Error::new_spanned(generics, format!("{what} cannot be generic")));
    }
    if let Some(clause) = &generics.where_clause {
        complaints.add(Error::new_spanned(clause, format!("{what} cannot have a where clause")));
    }
}
