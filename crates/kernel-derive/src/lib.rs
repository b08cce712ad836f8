//! Derives for the frames and choices of `adjutant-kernel`.
//!
//! Use them as `adjutant_kernel::locals::{Locals, Choice}`, where the traits of the same names explain them.

use proc_macro::TokenStream;

mod attribute;
mod choice;
mod locals;

/// Derives `adjutant_kernel::locals::Locals` for a struct with named fields or none.
///
/// `#[local(class = "public")]`, `"owner"`, `"sides"` or `"hidden"` on a field says who may see it; a field
/// without it is public.
///
/// ```
/// use adjutant_kernel::locals::{LocalClass, Locals, Words};
/// use adjutant_kernel::{BodyId, SpaceId};
///
/// #[derive(Locals, PartialEq, Debug)]
/// struct Ambush {
///     at: SpaceId,
///     #[local(class = "owner")]
///     by: Option<BodyId>,
/// }
///
/// let (ambush, mut words) = (Ambush { at: SpaceId(7), by: None }, Words::new());
/// ambush.store(&mut words);
/// assert_eq!(Ambush::load(&words), Ok(ambush));
/// assert_eq!(Ambush::FIELDS[1].class, LocalClass::Owner);
/// ```
#[proc_macro_derive(Locals, attributes(local))]
pub fn derive_locals(input: TokenStream) -> TokenStream {
    locals::expand(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Derives `adjutant_kernel::locals::Choice` and `Local` for an enum whose variants hold no data.
///
/// A variant is named by its identifier in snake case; `#[choice(name = "...")]` gives it another name.
///
/// ```
/// use adjutant_kernel::locals::Choice;
///
/// #[derive(Choice, Clone, Copy, PartialEq, Debug)]
/// enum Gait {
///     Walk,
///     #[choice(name = "double_quick")]
///     Run,
/// }
///
/// assert_eq!(Gait::NAMES, ["walk", "double_quick"]);
/// assert_eq!(Gait::from_number(1), Some(Gait::Run));
/// ```
#[proc_macro_derive(Choice, attributes(choice))]
pub fn derive_choice(input: TokenStream) -> TokenStream {
    choice::expand(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

#[cfg(test)]
mod testing {
    use proc_macro2::TokenStream;

    /// The messages of a refused input, each with the source text that it points at.
    pub(crate) fn complaints(
        expand: fn(TokenStream) -> syn::Result<TokenStream>,
        source: &str,
    ) -> Vec<(String, String)> {
        let input = source.parse().expect("the source is made of tokens");
        let error = expand(input).expect_err("the source is refused");
        error.into_iter().map(|e| (e.to_string(), e.span().source_text().unwrap_or_default())).collect()
    }

    /// Checks what a good input expands to, spacing apart.
    pub(crate) fn assert_expands(
        expand: fn(TokenStream) -> syn::Result<TokenStream>,
        source: &str,
        expected: &str,
    ) {
        let made = expand(source.parse().expect("the source is made of tokens")).expect("the source is good");
        syn::parse2::<syn::File>(made.clone()).expect("the impls are items");
        let expected: TokenStream = expected.parse().expect("the expected source is made of tokens");
        let tight = |tokens: TokenStream| tokens.to_string().replace(char::is_whitespace, "");
        assert_eq!(tight(made), tight(expected));
    }
}
